import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/plan/package-root.ts';
import { allCommandsIn } from './command-line.ts';
import { blocksOf, codeSpans, pages } from './pages.ts';

/** Options whose value is a file or folder that is written, or that an earlier command has written. */
const OUTPUTS = /\s(?:-o|--out|--to|--record-cassette|--cassette|--junit|--key|-out)[ =](\S+)/g;
/** A bundle that was packed, or an archive that waits to be accepted. */
const PACKED = /\bpack \S+ (\S+\.zip)\b/g;

/** The places under the clone that commands write to. */
function outputsIn(commands: readonly string[]): string[] {
  const named = commands.flatMap((command) =>
    [...command.matchAll(OUTPUTS), ...command.matchAll(PACKED)].map(([, place = '']) => place),
  );
  return [...new Set(named)].filter((place) => !path.isAbsolute(place) && !/[<…]|^[A-Z]+$/.test(place));
}

const documented = outputsIn(
  pages().flatMap((page) => [
    ...blocksOf(page).flatMap(({ text }) => allCommandsIn(text)),
    ...codeSpans(page.text).flatMap(allCommandsIn),
  ]),
);

/** Those that git would call new files. */
function seenByGit(places: readonly string[]): string[] {
  const ignored = execFileSync('git', ['check-ignore', '--no-index', '--stdin'], {
    cwd: packageRoot(),
    input: [...places, 'package-lock.tgz'].join('\n'),
    encoding: 'utf8',
  }).split('\n');
  return places.filter((place) => !ignored.includes(place));
}

it('documents name a folder of bundles, of reports and of cassettes', () => {
  const folders = documented.map((place) => path.normalize(place).split('/')[0]);
  expect(folders).toEqual(expect.arrayContaining(['reports', 'cassettes']));
});

it('a clone stays clean after every documented command: git ignores what they write', () => {
  const places = documented.map((place) => (path.extname(place) === '' ? `${place}/file.json` : place));
  expect(seenByGit([...places, 'bundles/20260101T120000-basics/seal.json', 'suites/webvoyager/web.new.zip'])).toEqual(
    [],
  );
});

it('what no document names, and what is committed, is seen', () => {
  expect(seenByGit(['report/file.json', 'suites/webvoyager/web.zip', 'docs/bundles/webvoyager.zip'])).toEqual([
    'report/file.json',
    'suites/webvoyager/web.zip',
    'docs/bundles/webvoyager.zip',
  ]);
});
