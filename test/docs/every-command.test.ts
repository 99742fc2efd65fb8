import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/plan/package-root.ts';
import { NOT_RUN, type NotRun } from './not-run-here.ts';
import { pages } from './pages.ts';
import { SHOWN, type Shown, shownIn, unmarkedIn } from './shown-commands.ts';
import { BEFORE, EXITS, SMALLER, UNTIL, WHERE } from './walk.ts';
import { problemOf, typedOf, WALKS, walkOf } from './walked-pages.ts';

const notRun = NOT_RUN.flatMap(({ lines }) => lines);
const shown = new Set(SHOWN.map(({ line }) => line));
/** Lines that are typed before a page or a command may be told how they are run, too. */
const typed = new Set([...shown, ...Object.values(BEFORE).flat()]);

/** The commands of these pages that no walk runs, and of which no table says why. */
function unaccounted(all: readonly Shown[]): string[] {
  const walked = new Set(all.flatMap(({ page }) => walkOf(page, all).map(({ line }) => typedOf(line))));
  return all.map(({ line }) => line).filter((line) => !walked.has(typedOf(line)) && !notRun.includes(line));
}

/** Why a smaller command is not the same with less to do; null when it is. */
function isSmaller(line: string, smaller: string): boolean {
  const bare = (command: string): string =>
    command
      .replaceAll(/ --(?:task|only-fault|repetitions|perturbations|episodes) \S+/g, '')
      .replace(/ --$/, '')
      .replaceAll(/ (?:-- )?\d+\b(?!\/)/g, ' #');
  const withoutEnd = (command: string): string => bare(command).replace(/(?: --)?(?: aria| #)$/, '');
  return bare(line) === bare(smaller) || withoutEnd(line) === withoutEnd(smaller);
}

/** The lines of a reason whose test is not there, or does not hold the word by which it is known. */
function isKnown({ instead }: NotRun): boolean {
  if (instead === undefined) return true;
  const file = path.join(packageRoot(), instead[0]);
  return existsSync(file) && readFileSync(file, 'utf8').includes(instead[1]);
}

it('every command of a document is run by its walk, or a table says why not', () => {
  expect(unaccounted(SHOWN)).toEqual([]);
});

it('every page that has something to run is in one of both walks', () => {
  const withWalk = pages().filter(({ name }) => walkOf(name).length > 0);
  expect(WALKS.flat().toSorted()).toEqual(withWalk.map(({ name }) => name).toSorted());
});

it('a command has to end as its document says, and not otherwise', () => {
  const [fails = ''] = Object.keys(EXITS);
  const [goesOn = ''] = Object.keys(UNTIL);
  expect(problemOf('touchstone list', { exit: 0, said: '' })).toBeNull();
  expect(problemOf('touchstone list', { exit: 1, said: 'why' })).toContain('ended with 1, not with 0\nwhy');
  expect(problemOf(fails, { exit: EXITS[fails] ?? null, said: '' })).toBeNull();
  expect(problemOf(fails, { exit: 0, said: '' })).toContain('ended with 0');
  expect(problemOf(goesOn, { exit: null, said: '' })).toBeNull();
  expect(problemOf(goesOn, { exit: 0, said: '' })).toContain('ended with 0, not with null');
});

it('a new command in a document is run: nobody has to add it anywhere', () => {
  const page = { name: 'docs/new.md', text: 'See `touchstone frobnicate all`.\n\n```sh\ntouchstone list # all\n```\n' };
  const lines = shownIn(page).map(({ line }) => line);
  expect(lines).toEqual(['touchstone list', 'touchstone frobnicate all']);
  expect(walkOf(page.name, shownIn(page)).map(({ line }) => line)).toEqual(lines);
});

it('every entry of the tables is of a command that a document shows', () => {
  expect(notRun.filter((line) => !shown.has(line))).toEqual([]);
  expect(Object.keys(SMALLER).filter((line) => !shown.has(line))).toEqual([]);
  const told = [...Object.keys(EXITS), ...Object.keys(UNTIL), ...Object.keys(WHERE)];
  expect(told.filter((line) => !typed.has(line))).toEqual([]);
  const names = new Set(pages().map(({ name }) => name));
  expect(Object.keys(BEFORE).filter((key) => !names.has(key) && !shown.has(key))).toEqual([]);
});

it('what is not run is told nothing about how it is run', () => {
  expect(notRun.filter((line) => [SMALLER, EXITS, UNTIL, WHERE, BEFORE].some((table) => line in table))).toEqual([]);
  expect(notRun.filter((line, at) => notRun.indexOf(line) !== at)).toEqual([]);
});

it.each(NOT_RUN.filter(({ instead }) => instead !== undefined))(
  'what $why has a test that is there: $instead.0',
  (each) => {
    expect(isKnown(each)).toBe(true);
  },
);

it('a test that is not there, or is of something else, is noticed', () => {
  const known = (test: string, word: string): boolean => isKnown({ why: '', lines: [], instead: [test, word] });
  expect(known('test/docs/nothing.test.ts', 'it')).toBe(false);
  expect(known('test/docs/links.test.ts', 'frobnicate')).toBe(false);
});

it('a smaller command differs in tasks and numbers alone', () => {
  expect(Object.entries(SMALLER).filter(([line, smaller]) => !isSmaller(line, smaller))).toEqual([]);
  expect(isSmaller('touchstone run basics -n 5', 'touchstone run basics -n 1 --task example-h1')).toBe(true);
  expect(isSmaller('touchstone run basics --agent a', 'touchstone run basics --agent b')).toBe(false);
  expect(isSmaller('touchstone run basics --film', 'touchstone run basics')).toBe(false);
});

it('every block that holds a command is marked as shell', () => {
  expect(pages().flatMap(unmarkedIn)).toEqual([]);
  expect(unmarkedIn({ name: 'docs/new.md', text: '```text\n$ touchstone list\n```\n' })).toHaveLength(1);
});

it('a form, a name and an output are no commands', () => {
  const text =
    'Neither `touchstone run`, nor `touchstone show <bundle>`, nor `npx touchstone …` is one; `npm run docs` is.';
  expect(shownIn({ name: 'docs/new.md', text }).map(({ line }) => line)).toEqual(['npm run docs']);
});
