import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FAILED_PICTURE, FILM_PICTURE } from '../../scripts/draw-film-picture.ts';
import { LIVE_PICTURE } from '../../scripts/draw-live-picture.ts';
import { PICTURE } from '../../scripts/draw-report-picture.ts';
import { TERMINAL_PICTURE } from '../../scripts/draw-terminal-picture.ts';
import { packageRoot } from '../../src/plan/package-root.ts';
import { allCommandsIn } from './command-line.ts';
import { blocksOf, codeSpans, pages } from './pages.ts';

const git = (args: readonly string[], input = ''): string[] =>
  execFileSync('git', args, { cwd: packageRoot(), input, encoding: 'utf8' }).split('\n');
const isHere = (name: string): boolean => existsSync(path.join(packageRoot(), name));
const read = (name: string): string => readFileSync(path.join(packageRoot(), name), 'utf8');

/** Files of the clone, including those that are not committed yet. */
const files = git(['ls-files', '--cached', '--others', '--exclude-standard']).filter(isHere);

describe('links', () => {
  const markdown = files.filter((name) => name.endsWith('.md')).map((name) => ({ name, text: read(name) }));

  /** Relative links to a missing file or heading. Tests have no network, so links to other hosts are not followed. */
  function brokenLinks(name: string, text: string): string[] {
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    return targets.filter((target) => {
      if (/^[a-z]+:/.test(target)) return false;
      const [file = '', anchor] = target.split('#');
      const place = file === '' ? name : path.join(path.dirname(name), file);
      return !isHere(place) || (anchor !== undefined && !anchorsOf(read(place)).includes(anchor));
    });
  }

  function anchorsOf(text: string): string[] {
    const headings = [...text.replaceAll(/^```[^]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)];
    return headings.map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    );
  }

  /** Files of this repository that a page names without a link, and that do not exist. */
  function missingFiles(text: string): string[] {
    const named = codeSpans(text).filter((span) => /^(?:src|test|suites|schemas|scripts)\/[\w./-]+$/.test(span));
    return named.filter((file) => !isHere(file));
  }

  it.each(markdown)('lead from $name to existing files and headings', ({ name, text }) => {
    expect(brokenLinks(name, text)).toEqual([]);
  });

  it.each(pages())('name existing files without markup in $name', ({ text }) => {
    expect(missingFiles(text)).toEqual([]);
  });

  it('name existing documents in code, templates and examples', () => {
    const sources = files.filter((name) =>
      /^(?:action|clients|deploy|examples|scripts|src|templates)\b.*\.\w+$/.test(name),
    );
    const named = sources.flatMap((name) =>
      [...read(name).matchAll(/\bdocs\/[\w/-]+\.md\b/g)].map(([document]) => document),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((document) => !isHere(document))).toEqual([]);
  });

  it('are checked outside of docs too, and a broken one is found', () => {
    const outside = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'suites/protocols/README.md'];
    expect(markdown.map(({ name }) => name)).toEqual(expect.arrayContaining([...outside, 'docs/cli.md']));
    const text = '[a](cli.md) [b](nowhere.md) [c](cli.md#exit-codes) [d](cli.md#nothing) [e](https://example.com)';
    expect(brokenLinks('docs/page.md', text)).toEqual(['nowhere.md', 'cli.md#nothing']);
    expect(missingFiles('`src/index.ts` `src/nothing.ts`')).toEqual(['src/nothing.ts']);
  });
});

describe('a clone after every documented command', () => {
  /** Options whose value is a written file or folder, or one that an earlier command wrote. */
  const OUTPUTS = /\s(?:-o|--out|--to|--record-cassette|--cassette|--junit|--key|-out)[ =](\S+)/g;
  const PACKED = /\bpack \S+ (\S+\.zip)\b/g;

  const commands = pages().flatMap((page) => [
    ...blocksOf(page).flatMap(({ text }) => allCommandsIn(text)),
    ...codeSpans(page.text).flatMap(allCommandsIn),
  ]);
  const written = commands
    .flatMap((command) => [...command.matchAll(OUTPUTS), ...command.matchAll(PACKED)].map(([, place = '']) => place))
    .filter((place) => !path.isAbsolute(place) && !/[<…]|^[A-Z]+$|^https?:/.test(place));

  function seenByGit(places: readonly string[]): string[] {
    const ignored = git(['check-ignore', '--no-index', '--stdin'], [...places, 'package-lock.tgz'].join('\n'));
    return places.filter((place) => !ignored.includes(place));
  }

  it('is clean: git ignores what they write', () => {
    const folders = written.map((place) => path.normalize(place).split('/')[0]);
    expect(folders).toEqual(expect.arrayContaining(['reports', 'cassettes']));
    const places = written.map((place) => (path.extname(place) === '' ? `${place}/file.json` : place));
    const others = ['bundles/20260101T120000-basics/seal.json', 'suites/webvoyager/web.new.zip'];
    expect(seenByGit([...places, ...others])).toEqual([]);
  });

  it('still shows committed files, and undocumented ones', () => {
    const places = ['report/file.json', 'suites/webvoyager/web.zip', 'docs/bundles/webvoyager.zip'];
    expect(seenByGit(places)).toEqual(places);
  });
});

function objection(picture: Buffer): string | null {
  const kind = picture.subarray(0, 4).toString('latin1') + picture.subarray(8, 12).toString('latin1');
  if (kind !== 'RIFFWEBP') return 'no WebP';
  return picture.length > 60_000 ? `${picture.length} bytes` : null;
}

it.each([
  ['a report', PICTURE],
  ['a report that follows its campaign', LIVE_PICTURE],
  ['the film of an episode', FILM_PICTURE],
  ['an episode that failed', FAILED_PICTURE],
  ['a run in a terminal', TERMINAL_PICTURE],
])('the picture of %s is a small WebP', (_, picture) => {
  expect(objection(readFileSync(picture))).toBeNull();
});

it('a picture of another kind or size is refused', () => {
  expect(objection(Buffer.from('\u0089PNG\r\n\u001A\n0000', 'latin1'))).toBe('no WebP');
  expect(objection(Buffer.from(`RIFF0000WEBP${'0'.repeat(60_000)}`))).toBe('60012 bytes');
});

it.each(['templates/workflow.yml', 'docs/ci.md'])('the workflow in %s runs on the Node that README names', (file) => {
  const tested = /tested on [^:]* Node (?<version>\d+)/.exec(read('README.md'))?.groups?.['version'];
  expect(tested).toBeDefined();
  expect(/node-version: (?<version>\S+)/.exec(read(file))?.groups?.['version']).toBe(tested);
});
