import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/plan/package-root.ts';
import { codeSpans, pages } from './pages.ts';

/** The files of the clone, those that are not committed yet included. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: packageRoot(),
  encoding: 'utf8',
})
  .split('\n')
  .filter((name) => existsSync(path.join(packageRoot(), name)));
const read = (name: string): string => readFileSync(path.join(packageRoot(), name), 'utf8');
const markdown = files.filter((name) => name.endsWith('.md')).map((name) => ({ name, text: read(name) }));
/** Files that users read or copy, and that are no Markdown. */
const sources = files.filter((name) =>
  /^(?:action|clients|deploy|examples|scripts|src|templates)\b.*\.\w+$/.test(name),
);

/**
 * Relative links of a page that lead nowhere: no such file, or no such heading in it. Links to other hosts are not followed:
 * tests have no network but the registry of npm.
 */
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

/** The documents that a text names by their path from the root. */
function documentsNamed(text: string): string[] {
  return [...text.matchAll(/\bdocs\/[\w/-]+\.md\b/g)].map(([name]) => name);
}

it.each(markdown)('$name links to files and headings that are there', ({ name, text }) => {
  expect(brokenLinks(name, text)).toEqual([]);
});

it.each(pages())('$name names files that are there', ({ text }) => {
  expect(missingFiles(text)).toEqual([]);
});

it('documents that code, templates and examples name are there', () => {
  const named = sources.flatMap((name) => documentsNamed(read(name)).map((document) => `${name}: ${document}`));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((each) => !existsSync(path.join(packageRoot(), each.split(': ')[1] ?? '')))).toEqual([]);
  expect(documentsNamed('see docs/cli.md and ../docs/nothing.md')).toEqual(['docs/cli.md', 'docs/nothing.md']);
});

it('the pages outside of docs are among those whose links are checked', () => {
  const outside = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'suites/protocols/README.md'];
  expect(markdown.map(({ name }) => name)).toEqual(expect.arrayContaining([...outside, 'docs/cli.md']));
});

it('a link to a missing file or heading is noticed', () => {
  const text = '[a](cli.md) [b](nowhere.md) [c](cli.md#exit-codes) [d](cli.md#nothing) [e](https://example.com)';
  expect(brokenLinks('docs/page.md', text)).toEqual(['nowhere.md', 'cli.md#nothing']);
  expect(missingFiles('`src/index.ts` `src/nothing.ts`')).toEqual(['src/nothing.ts']);
});
