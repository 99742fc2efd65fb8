import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/plan/package-root.ts';
import { codeSpans, pages } from './pages.ts';

/** Relative links of a page that lead nowhere: no such file, or no such heading in it. */
function brokenLinks(name: string, text: string): string[] {
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false;
    const [file = '', anchor] = target.split('#');
    const place = file === '' ? name : path.join(path.dirname(name), file);
    const absolute = path.join(packageRoot(), place);
    if (!existsSync(absolute)) return true;
    return anchor !== undefined && !anchorsOf(readFileSync(absolute, 'utf8')).includes(anchor);
  });
}

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(text: string): string[] {
  const headings = [...text.replaceAll(/^```[^]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)];
  return headings.map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Files of this repository that a page names and that are not there. */
function missingFiles(text: string): string[] {
  const named = codeSpans(text).filter((span) => /^(?:src|test|suites|schemas|scripts)\/[\w./-]+$/.test(span));
  return named.filter((file) => !existsSync(path.join(packageRoot(), file)));
}

it.each(pages())('$name links to files and headings that are there', ({ name, text }) => {
  expect(brokenLinks(name, text)).toEqual([]);
});

it.each(pages())('$name names files that are there', ({ text }) => {
  expect(missingFiles(text)).toEqual([]);
});

it('a link to a missing file or heading is noticed', () => {
  const text = '[a](cli.md) [b](nowhere.md) [c](cli.md#exit-codes) [d](cli.md#nothing) [e](https://example.com)';
  expect(brokenLinks('docs/page.md', text)).toEqual(['nowhere.md', 'cli.md#nothing']);
  expect(missingFiles('`src/index.ts` `src/nothing.ts`')).toEqual(['src/nothing.ts']);
});
