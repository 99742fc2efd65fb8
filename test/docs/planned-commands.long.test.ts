import { existsSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { flagOf } from '../../src/cli/options.ts';
import { main } from '../../src/cli/program.ts';
import { builtInSuites } from '../../src/cli/suites.ts';
import { isFileName } from '../../src/plan/entrants.ts';
import { packageRoot } from '../../src/plan/package-root.ts';
import { parsedCommand, type ParsedCommand, SCRIPT_COMMANDS } from './command-line.ts';
import { DOCUMENTED } from './documented-commands.ts';

beforeEach(() => {
  vi.stubEnv('OPENAI_COMPATIBLE_BASE_URL', 'http://127.0.0.1:11434/v1');
});
/** It needs a runtime that is not ours to give. */
const VENDOR = 'examples/nac3-vendor';

const commands = [...new Set([...DOCUMENTED.map(({ command }) => command), ...SCRIPT_COMMANDS])].flatMap((command) => {
  const parsed = parsedCommand(command);
  return parsed === null ? [] : [{ command, parsed }];
});

/** Whether it names what is run, and all of that is in the repository. */
function isPlannable({ spec, args, given }: ParsedCommand): boolean {
  const suites = [...args, ...['campaign', 'tasks'].flatMap((option) => listed(given[option]))];
  const entrants = [...listed(given['agent']), ...listed(given['surface'])].filter(isFileName);
  return (
    ['plan', 'run'].includes(spec.name) &&
    ['resume', 'cassette', 'browserEndpoint'].every((option) => !(option in given)) &&
    (suites.length > 0 || 'all' in given) &&
    suites.every(isHere) &&
    entrants.every(isHere)
  );
}

/** The working folder is the repository: a reader's folder (`.`) is one of theirs. */
function isHere(name: string): boolean {
  if (builtInSuites().includes(name)) return true;
  return name !== '.' && name !== VENDOR && existsSync(path.join(packageRoot(), name));
}

function listed(value: unknown): string[] {
  return typeof value === 'string' ? value.split(',') : [];
}

/** The options that select the episodes of a run, for the command that only plans it. */
function plannedBy({ args, given }: ParsedCommand): ParsedCommand {
  const spec = COMMANDS.find(({ name }) => name === 'plan');
  if (spec === undefined) throw new Error('no command plans');
  return {
    spec,
    args,
    given: Object.fromEntries(Object.entries(given).filter(([name]) => name in spec.options.shape)),
  };
}

/** Runs a command and returns its exit code and notes. */
async function ranAs({ spec, args, given }: ParsedCommand): Promise<{ exit: number; notes: string }> {
  const notes: string[] = [];
  const words = Object.entries(given).flatMap(([name, value]) =>
    value === true ? [flagOf(name)] : [flagOf(name), String(value)],
  );
  const exit = await main([spec.name, ...args, ...words], { out: () => {}, note: (line) => notes.push(line) });
  return { exit, notes: notes.join('\n') };
}

// The walks run many of them with fewer tasks and lower numbers: here they are planned as they are written.
it.each(commands.filter(({ parsed }) => isPlannable(parsed)))('can be planned: $command', async ({ parsed }) => {
  expect(await ranAs(plannedBy(parsed))).toMatchObject({ exit: 0 });
});

it('a task that is in no suite is noticed', async () => {
  const parsed = parsedCommand('touchstone run basics --task no-such-task');
  if (parsed === null) throw new Error('it parses');
  expect(await ranAs(plannedBy(parsed))).toMatchObject({ exit: 2, notes: expect.stringContaining('no-such-task') });
});
