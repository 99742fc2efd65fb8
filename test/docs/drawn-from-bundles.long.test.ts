import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { drawResults } from '../../scripts/draw-bundles.ts';
import { drawSentence, drawWeb } from '../../scripts/draw-web.ts';

// They verify bundles of a thousand episodes, and do it once.
test.each([
  ['docs/tool-servers.md', drawWeb, /^\| aria .*\n/m],
  ['README.md', drawSentence, /the MCP servers passed.*\n/],
  ['docs/results.md', drawResults, /^\| `faults.*\n/m],
])('"npm run docs" restores %s, from verified bundles, after an edit by hand', async (page, draw, cut) => {
  const committed = await readFile(page, 'utf8');
  const edited = committed.replace(cut, '');
  expect(edited).not.toBe(committed);
  expect(await draw(edited)).toBe(committed);
});
