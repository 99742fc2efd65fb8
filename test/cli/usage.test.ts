import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { textsOf } from './texts-of.ts';
import { touchstone } from './touchstone.ts';

test('the help of the program and of a command is that of the golden file', async () => {
  const helpOf = async (...args: string[]) => (await touchstone(...args, '--help')).out.trimEnd().split('\n');

  await expect(
    textsOf({
      'touchstone --help': await helpOf(),
      'touchstone show --help': await helpOf('show'),
      'touchstone run --help': await helpOf('run'),
    }),
  ).toMatchFileSnapshot('golden/help.txt');
});

test('no command shows the help, and no remedy', async () => {
  const { exit, out, err } = await touchstone();
  expect(exit).toBe(2);
  expect(out + err).toContain('Start with');
  expect(out + err).not.toContain('remedy');
});

test('plan without a suite advises no other command', async () => {
  const { exit, err } = await touchstone('plan');
  expect(exit).toBe(2);
  expect(err).toContain('remedy: name one after the command, for example "basics"');
  expect(err).not.toContain('run basics');
});

const BAD: [string, string[], string[]][] = [
  ['an unknown command', ['ruin'], ["unknown command 'ruin'", 'Did you mean run?', 'remedy: see "touchstone --help"']],
  ['the name that other tools have', ['eval'], ["unknown command 'eval'", 'remedy: that is "touchstone run" here']],
  [
    'an unknown option',
    ['run', 'basics', '--agnet', 'null'],
    ["unknown option '--agnet'", 'Did you mean --agent?', 'remedy: see "touchstone run --help"'],
  ],
  ['an option of another command', ['run', 'basics', '--junit', 'a.xml'], ["unknown option '--junit'"]],
  ['a JUnit file that is none', ['report', './nowhere', '--junit', 'rows.jsonl'], ['must end in .xml']],
  ['no suite', ['run'], ['no suite is named', 'name one after the command, for example "basics"']],
  ['an unknown suite', ['run', 'basic'], ['unknown suite "basic"; did you mean "basics"?', 'protocols']],
  ['a misspelt agent', ['run', 'basics', '--agent', 'referense'], ['did you mean "reference"?']],
  ['a misspelt surface', ['run', 'basics', '--surface', 'pixel'], ['did you mean "pixels"?']],
  ['a misspelt task', ['run', 'basics', '--task', 'dialog-delet'], ['did you mean "dialog-delete"?']],
  ['a misspelt fault profile', ['run', 'basics', '--fault', 'networc'], ['did you mean "network"?']],
  ['a misspelt prompt', ['validate', 'basics', '--prompt', 'careful1'], ['did you mean "careful"?']],
  [
    'an unknown agent',
    ['run', 'basics', '--agent', 'oracle'],
    ['unknown agent "oracle"', 'reference, transcript, null, parrot'],
  ],
  ['an unknown surface', ['run', 'basics', '--surface', 'smell'], ['unknown surface "smell"', 'aria']],
  ['an unknown task', ['run', 'basics', '--task', 'nap'], ['unknown task "nap"', 'example-h1']],
  [
    'an agent that can do nothing on the only surface',
    ['run', 'basics', '--surface', 'own'],
    ['no entrant can run: reference acts by the tools of a surface, and own has none'],
  ],
  ['a number that is none', ['run', 'basics', '-n', 'many'], ['-n, --iterations <count>', 'not "many"']],
  ['a number out of range', ['run', 'basics', '--max-steps', '0'], ['--max-steps <count>', 'at least 1']],
  ['a list of nothing', ['run', 'basics', '--agent', ','], ['-a, --agent <ids> names nothing']],
  ['a folder of a suite that is not there', ['run', './nowhere'], ['the folder "./nowhere" does not exist', 'basics']],
  ['a bundle that is not there', ['show', './nowhere'], ['./nowhere does not exist', 'remedy: ']],
  ['a choice that is none', ['run', 'basics', '--isolation', 'none'], ['--isolation <kind>', 'context', 'browser']],
  [
    'an --out that is a file',
    ['run', 'basics', '--out', 'package.json'],
    ['error: package.json cannot be written (a part of the path is a file)', 'choose another --out'],
  ],
  [
    'an --out with something in it',
    ['run', 'basics', '--out', 'docs'],
    ['docs is neither empty nor a bundle', 'choose another --out'],
  ],
  ['a missing argument', ['pack'], ["missing required argument 'bundle'", 'remedy: see "touchstone pack --help"']],
];

test('a list given several times adds up, and the last of several numbers counts', async () => {
  const tasks = ['--task', 'dialog-delete', '--task', 'example-h1,late-order'];
  const { exit, out } = await touchstone('plan', 'basics', ...tasks, '-n', '2', '-n', '3', '--json');
  expect(exit).toBe(0);
  const plan: { iterations: number; tasks: { task: string }[] } = JSON.parse(out);
  expect(plan.iterations).toBe(3);
  expect(plan.tasks.map(({ task }) => task)).toEqual(['dialog-delete', 'example-h1', 'late-order']);
});

test.each(BAD)('%s is exit code 2, named with a remedy', async (_what, args, words) => {
  const { exit, out, err } = await touchstone(...args);
  expect(exit).toBe(2);
  expect(out).toBe('');
  for (const word of words) expect(err).toContain(word);
});

const READERS = COMMANDS.filter(({ args }) => args?.startsWith('<bundle'));

test.each(READERS.map(({ name }) => name))('%s reports that a folder is no bundle', async (name) => {
  // What else a command needs is sound: only the folder is wrong.
  const to = await temporaryFolder();
  const others = {
    sign: ['--key', 'key.pem'],
    publish: ['--to', to],
    merge: ['suites', '--out', to],
    export: ['--format', 'jsonl', '--out', to],
  };
  const options = Object.entries(others).find(([command]) => command === name)?.[1] ?? [];
  const { exit, out, err } = await touchstone(name, 'suites', ...options);
  expect({ exit, out }).toEqual({ exit: 2, out: '' });
  for (const word of ['suites has no readable campaign.json', 'touchstone run']) expect(err).toContain(word);
});

test('list --json is one value for machines', async () => {
  const { out } = await touchstone('list', '--json');
  expect(JSON.parse(out)).toMatchObject({
    suites: ['account', 'basics', 'protocols', 'realapps', 'stress', 'web', 'webvoyager'].map((id) => ({ id })),
    surfaces: expect.arrayContaining([
      expect.objectContaining({ id: 'aria' }),
      expect.objectContaining({ id: 'playwright-mcp' }),
    ]),
  });
});

test('validate of a broken file is exit code 2, with file and line', async () => {
  const { exit, out } = await touchstone('validate', 'test/task/fixtures/malformed/contract/unknown-field.yaml');
  expect(exit).toBe(2);
  expect(out).toMatch(/unknown-field\.yaml:\d+:\d+ success/);
});
