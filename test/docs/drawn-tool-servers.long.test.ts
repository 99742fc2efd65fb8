import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { drawSentence, drawWeb } from '../../scripts/draw-web.ts';

// Both verify a bundle of a thousand episodes, and do it once.
test.each([
  ['docs/tool-servers.md', drawWeb, /^\| aria .*\n/m],
  ['README.md', drawSentence, /the MCP servers passed.*\n/],
])('"npm run docs" restores %s, from its verified bundle, after an edit by hand', async (page, draw, cut) => {
  const committed = await readFile(page, 'utf8');
  const edited = committed.replace(cut, '');
  expect(edited).not.toBe(committed);
  expect(await draw(edited)).toBe(committed);
});
