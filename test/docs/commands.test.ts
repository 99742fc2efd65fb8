import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/plan/package-root.ts';
import { commandProblem, commandsIn, missingFile, SCRIPT_COMMANDS } from './command-line.ts';
import { DOCUMENTED } from './documented-commands.ts';
import { NOT_RUN, type NotRun } from './not-run-here.ts';
import { pages } from './pages.ts';
import { SHOWN, type Shown, shownIn, unmarkedIn } from './shown-commands.ts';
import { BEFORE, EXITS, typedOf, UNTIL, WHERE } from './walk.ts';
import { problemOf, WALKS, walkOf } from './walked-pages.ts';

describe('a command of a document', () => {
  const ours = DOCUMENTED.filter(({ command }) => commandsIn(command).length > 0);
  const others = DOCUMENTED.filter(({ command }) => /^(?:sha256sum|diff|jq|head|git|node|curl|export) /.test(command));

  it.each([...ours, ...SCRIPT_COMMANDS.map((command) => ({ place: 'package.json', command }))])(
    'is accepted by the program: $place: $command',
    ({ command }) => {
      expect(commandProblem(command)).toBeNull();
    },
  );

  it.each(others)('names existing files: $place: $command', ({ command }) => {
    expect(missingFile(command)).toBeNull();
  });

  it.each([
    ['touchstone frobnicate', "error: unknown command 'frobnicate'"],
    ['touchstone run basics --max-stepz 2', "error: unknown option '--max-stepz'"],
    ['touchstone run basics --max-steps none', '--max-steps <count> must be a number, not "none"'],
    ['touchstone run basics --agent nobody', 'unknown agent "nobody"'],
    ['touchstone pack', "error: missing required argument 'bundle'"],
    ['touchstone plan --campaign campaigns/nothing.yaml', 'there is no file "campaigns/nothing.yaml"'],
    ['npm run bench:nothing', 'there is no npm script "bench:nothing"'],
    ['npm run bench:episode:mock -- --frob', "error: unknown option '--frob'"],
    ['npx tsx scripts/nothing.ts webvoyager', 'there is no file "scripts/nothing.ts"'],
    ['npx nothing', 'there is no program "nothing"'],
  ])('is refused with its mistake: %s', (command, problem) => {
    expect(commandProblem(command)).toContain(problem);
  });

  it('is found among variables, pipes and comments', () => {
    const shell =
      'A=1 npm run bench -- --json | jq . && touchstone list  # all\nls; echo touchstone\ndiff <(npx tsx a.ts) b\n';
    expect(commandsIn(shell)).toEqual(['npm run bench -- --json', 'touchstone list', 'npx tsx a.ts']);
  });

  it('is in a block that is marked as shell', () => {
    expect(pages().flatMap(unmarkedIn)).toEqual([]);
    expect(unmarkedIn({ name: 'docs/new.md', text: '```text\n$ touchstone list\n```\n' })).toHaveLength(1);
  });
});

describe('the walks through the documents', () => {
  const notRun = NOT_RUN.flatMap(({ lines }) => lines);
  const shown = new Set(SHOWN.map(({ line }) => line));

  function unaccounted(all: readonly Shown[]): string[] {
    const walked = new Set(all.flatMap(({ page }) => walkOf(page, all).map(({ line }) => typedOf(line))));
    return all.map(({ line }) => line).filter((line) => !walked.has(typedOf(line)) && !notRun.includes(line));
  }

  it('run every command of every page, or a table gives the reason', () => {
    expect(unaccounted(SHOWN)).toEqual([]);
    const withWalk = pages().filter(({ name }) => walkOf(name).length > 0);
    expect(WALKS.flat().toSorted()).toEqual(withWalk.map(({ name }) => name).toSorted());
  });

  it('run a new command without an entry anywhere, but neither a form nor a name of one', () => {
    const text =
      'See `touchstone frobnicate all`, `touchstone run`, `touchstone show <bundle>` or `npx touchstone …`.\n\n```sh\ntouchstone list # all\n```\n';
    const lines = shownIn({ name: 'docs/new.md', text });
    expect(lines.map(({ line }) => line)).toEqual(['touchstone list', 'touchstone frobnicate all']);
    expect(walkOf('docs/new.md', lines)).toEqual(lines);
  });

  it('accept only the exit code that the document implies', () => {
    const [fails = ''] = Object.keys(EXITS);
    const [goesOn = ''] = Object.keys(UNTIL);
    expect(problemOf('touchstone list', { exit: 0, said: '' })).toBeNull();
    expect(problemOf('touchstone list', { exit: 1, said: 'why' })).toContain('ended with 1, not with 0\nwhy');
    expect(problemOf(fails, { exit: EXITS[fails] ?? null, said: '' })).toBeNull();
    expect(problemOf(fails, { exit: 0, said: '' })).toContain('ended with 0');
    expect(problemOf(goesOn, { exit: null, said: '' })).toBeNull();
    expect(problemOf(goesOn, { exit: 0, said: '' })).toContain('ended with 0, not with null');
  });

  it('have no entry for a command that no document shows, nor two for one', () => {
    expect(notRun.filter((line, at) => !shown.has(line) || notRun.indexOf(line) !== at)).toEqual([]);
    const typed = new Set([...shown, ...Object.values(BEFORE).flat()]);
    const configured = [EXITS, UNTIL, WHERE].flatMap((table) => Object.keys(table));
    expect(configured.filter((line) => !typed.has(line))).toEqual([]);
    const names = new Set(pages().map(({ name }) => name));
    expect(Object.keys(BEFORE).filter((key) => !names.has(key) && !shown.has(key))).toEqual([]);
    expect(notRun.filter((line) => [EXITS, UNTIL, WHERE, BEFORE].some((table) => line in table))).toEqual([]);
  });

  it.each([
    ['touchstone run basics -n 5', 'touchstone run basics -n 1 --task example-h1'],
    ['touchstone run basics -n 10 --shard 2/3', 'touchstone run basics -n 3 --shard 2/3 --task example-h1'],
    ['touchstone run basics --task late-order', 'touchstone run basics --task late-order'],
    ['touchstone qualify .', 'touchstone qualify . --repetitions 1 --perturbations 4'],
    ['npm test', 'npm test'],
  ])('type less than %s', (line, typed) => {
    expect(typedOf(line)).toBe(typed);
  });

  /** Whether the test that replaces a command exists and still contains its words. */
  function isKnown({ instead: [test, ...words] = [''] }: Pick<NotRun, 'instead'>): boolean {
    const file = path.join(packageRoot(), test);
    return existsSync(file) && (test === '' || words.every((word) => readFileSync(file, 'utf8').includes(word)));
  }

  it.each(NOT_RUN)('leave out commands that $why', (each) => {
    expect(isKnown(each)).toBe(true);
  });

  it('do not accept a missing test as a replacement, or a test of something else', () => {
    expect(isKnown({ instead: ['test/docs/nothing.test.ts', 'it'] })).toBe(false);
    expect(isKnown({ instead: ['test/docs/attacks.test.ts', 'frobnicate'] })).toBe(false);
  });
});
