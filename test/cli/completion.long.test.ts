import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { bashCompletion, fishCompletion, zshCompletion } from '../../src/cli/completion-scripts.ts';
import { completedCommands } from '../../src/cli/actions/completion.ts';
import { touchstone } from './touchstone.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-test-'));
const NAMES = { suites: ['basics', 'protocols'], options: { agent: ['reference', 'null'], surface: ['aria'] } };
beforeAll(() => {
  const commands = completedCommands(COMMANDS, NAMES);
  // Fish asks npm for the scripts of this folder.
  writeFileSync(path.join(folder, 'package.json'), '{}');
  for (const [name, script] of Object.entries({ bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }))
    writeFileSync(path.join(folder, name), script(commands));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Asks a shell for its completions of a line, with the script printed for it. */
const OFFERS = {
  bash: (words: string[]) =>
    shell('bash', [
      '-c',
      `before() { COMPREPLY=(of-before); }; complete -F before npx; source "$0"; source "$0"
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); of=$(complete -p "$1"); of=\${of##* -F }
      "\${of%% *}" "$1"; printf "%s\\n" "\${COMPREPLY[@]}"`,
      path.join(folder, 'bash'),
      ...words,
    ]),
  fish: (words: string[]) =>
    shell('fish', ['-c', 'source $argv[1]; complete -C "$argv[2]"', path.join(folder, 'fish'), words.join(' ')]),
  // Replaces the functions with which zsh itself completes, and prints their arguments.
  zsh: (words: string[]) =>
    shell('zsh', [
      '-f',
      '-c',
      `typeset -gA _comps=(npx before); before() { print of-before }; _default() {}
      compdef() { _comps[$2]=$1 }; _arguments() { print -rl -- "$@" }; _describe() { print -rl -- $commands }
      source "$1"; source "$1"; shift; words=("$@"); CURRENT=$#; service=$words[1]; $_comps[$service]`,
      'zsh',
      path.join(folder, 'zsh'),
      ...words,
    ]),
};

function shell(program: string, args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', cwd: folder, env: { ...process.env, HOME: folder } });
}

function isHere(program: string): boolean {
  return (process.env['PATH'] ?? '').split(path.delimiter).some((place) => {
    try {
      execFileSync(path.join(place, program), ['-c', 'exit 0']);
      return true;
    } catch {
      return false;
    }
  });
}

const HERE = (['bash', 'zsh', 'fish'] as const).filter(isHere);

/** What each shell offers after some words: the first list, and nothing of the second. */
const CASES: [words: string[], offered: string[], not: string[]][] = [
  [['touchstone', 're'], ['rejudge', 'report', 'record'], []],
  [['touchstone', 'report', '--j'], ['--junit'], []],
  [['touchstone', 'run', '--j'], [], ['--junit']],
  [['touchstone', 'run', '--browser', ''], ['shell'], []],
  [['touchstone', 'run', 'ba'], ['basics'], []],
  [['touchstone', 'show', 'ba'], [], ['basics']],
  ...[
    ['npx', 'touchstone'],
    ['npx', '--no-install', 'touchstone'],
  ].flatMap((way): [string[], string[], string[]][] => [
    [[...way, 're'], ['rejudge'], []],
    [[...way, 'report', '--j'], ['--junit'], []],
    [[...way, 'run', '--j'], [], ['--junit']],
    [[...way, 'run', '--browser', ''], ['shell'], []],
  ]),
  [['npx', 'other', 're'], [], ['rejudge']],
  [['npx', 're'], [], ['rejudge']],
  [['npx', 'other', 'touchstone', 're'], [], ['rejudge']],
];

describe.each(HERE)('%s', (name) => {
  test.each(CASES)('after %j offers %j and not %j', (words, offered, not) => {
    const offers = OFFERS[name](words);
    for (const each of offered) expect(offers).toContain(each);
    for (const each of not) expect(offers).not.toContain(each);
  });
});

test.each(HERE.filter((name) => name !== 'zsh'))('%s completes the last item of a list', (name) => {
  expect(OFFERS[name](['touchstone', 'run', '--agent', 'reference,nu'])).toContain('reference,null');
});

test.each(HERE.filter((name) => name !== 'fish'))(
  '%s leaves other programs to the earlier completion of npx',
  (name) => {
    expect(OFFERS[name](['npx', 'ot'])).toContain('of-before');
    expect(OFFERS[name](['npx', 'touchstone', 're'])).not.toContain('of-before');
  },
);

test.runIf(HERE.includes('bash')).each(['./npx', '/usr/bin/npx', 'a[$(touch ran)]'])(
  'bash evaluates no name of npx as a variable: %s',
  (word) => {
    const script = `before() { COMPREPLY=(of-before); }; complete -F before npx; source "$0"
      COMP_WORDS=("$1" ot); COMP_CWORD=1; _touchstone_npx "$@" 2>&1; printf "%s\n" "\${COMPREPLY[@]}"`;
    expect(shell('bash', ['-c', script, path.join(folder, 'bash'), word, 'ot', word])).toBe('of-before\n');
    expect(existsSync(path.join(folder, 'ran'))).toBe(false);
  },
);

test('a name that a shell would interpret is left out', () => {
  const names = { suites: ['$(reboot)', "it's", 'mine'], options: {} };
  const [run] = completedCommands(COMMANDS, names);
  expect(run?.words).toEqual(['mine']);
});

test.runIf(HERE.includes('fish'))('a help text with quotes stays one word', () => {
  const text = "it's \\ $HOME (exit)";
  const option = { short: null, long: 'odd', help: text, value: null };
  writeFileSync(
    path.join(folder, 'odd'),
    fishCompletion([{ name: 'run', summary: text, words: [], options: [option] }]),
  );
  const offered = shell('fish', ['-c', `source ${path.join(folder, 'odd')}; complete -C 'touchstone run --od'`]);
  expect(offered).toContain(text);
});

test('the command prints it with the available names', async () => {
  const { exit, out } = await touchstone('completion', 'bash');
  expect(exit).toBe(0);
  for (const name of ['webvoyager', 'playwright-mcp', 'parrot', 'careful']) expect(out).toContain(name);
});

test('an unknown shell is refused with the known ones', async () => {
  expect(await touchstone('completion', 'tcsh')).toMatchObject({
    exit: 2,
    err: expect.stringContaining('bash, zsh, fish'),
  });
});
