import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import { ACTION, commandsIn, FakeRunner } from './composite-action.ts';

const steps = ACTION.runs.steps;

test('no shell of the action reads an expression', () => {
  for (const { run } of steps) expect(run ?? '').not.toContain('${{');
});

test('every input is handed to the step that checks it, and no other step has one', () => {
  const texts = steps.map((step) => JSON.stringify(step));
  for (const name of Object.keys(ACTION.inputs)) {
    const reading = texts.filter((text) => text.includes(`inputs.${name} `));
    expect(reading).toEqual([expect.stringContaining('settings.mjs')]);
  }
});

test('every output that a step reads is written by one', async () => {
  const runner = new FakeRunner(await temporaryFolder());
  const { outputs } = runner.step('settings', {}, { GITHUB_BASE_REF: 'main' });
  const read = [...JSON.stringify(ACTION).matchAll(/steps\.settings\.outputs\.([\w-]+)/g)].map(([, name]) => name);
  expect(read.length).toBeGreaterThan(5);
  for (const name of read) expect(Object.keys(outputs)).toContain(name);
});

test('a pull request restores the bundle of its base and saves none; a push saves its own', async () => {
  const runner = new FakeRunner(await temporaryFolder());
  const push = runner.step('settings').outputs;
  const pull = runner.step('settings', {}, { GITHUB_BASE_REF: 'main', GITHUB_REF_NAME: '7/merge' }).outputs;
  expect([push['save'], push['restore'], pull['save'], pull['restore']]).toEqual(['true', 'false', 'false', 'true']);
  expect(push['own-key']).toBe(pull['base-prefix'] + 'b'.repeat(40));
  const other = runner.step('settings', { suites: 'basics' }, { GITHUB_BASE_REF: 'main' }).outputs;
  expect(other['base-prefix']).not.toBe(pull['base-prefix']);
});

const BAD: [string, Record<string, string>, string][] = [
  ['a folder outside the repository', { 'working-directory': '..' }, 'working-directory must lie in the repository'],
  ['a folder that is not there', { 'working-directory': 'nowhere' }, 'working-directory is not in the repository'],
  ['a link that leads out', { 'working-directory': 'out' }, 'working-directory must lie in the repository'],
  ['an option as a suite', { suites: 'basics --out=/etc' }, 'suites must be'],
  ['a command as an agent', { suites: 'basics', agent: '$(touch pwned)' }, 'agent must be'],
  ['a second line', { suites: 'basics', agent: 'null\nsave=true' }, 'agent must be'],
  ['a number that is none', { suites: 'basics', iterations: '5; reboot' }, 'iterations must be a whole number'],
  ['an agent beside touchstone.yaml', { agent: 'null' }, 'touchstone.yaml says them itself'],
  ['an unknown gate', { 'fail-on': 'never' }, 'fail-on must be gates, regression or nothing'],
  ['a base that is not there', { 'base-bundle': 'gone.zip' }, 'base-bundle does not exist'],
  ['an artifact with a second line', { artifact: 'a\nbase-key=x' }, 'artifact must be'],
];

test.each(BAD)('%s is refused by name, and nothing is passed on', async (_what, inputs, message) => {
  const runner = new FakeRunner(await temporaryFolder());
  mkdirSync(path.join(runner.temp, 'elsewhere'));
  symlinkSync(path.join(runner.temp, 'elsewhere'), path.join(runner.workspace, 'out'));
  const { code, log, outputs } = runner.step('settings', inputs);
  expect(code).toBe(2);
  expect(log).toContain(message);
  expect(outputs).toEqual({});
});

test('a repository without the program is told what is missing', async () => {
  const runner = new FakeRunner(await temporaryFolder());
  expect(runner.step('settings').code).toBe(0);
  expect(runner.step('run')).toMatchObject({ code: 2, log: expect.stringContaining('npm install') });
});

const COMMANDS = ['::set-output name=bundle::/etc', 'a ##[set-output name=bundle]/etc', '\r::add-mask::x', '::word::'];

test('no output of the program is a command to the runner', async () => {
  expect(commandsIn(COMMANDS.join('\n'))).toHaveLength(4);
  const runner = new FakeRunner(await temporaryFolder());
  runner.install(COMMANDS.map((line, n) => `console.${n % 2 ? 'log' : 'error'}(${JSON.stringify(line)});`).join(''));
  runner.step('settings');
  const { log } = runner.step('run');
  for (const line of COMMANDS) expect(log).toContain(line);
  expect(commandsIn(log)).toEqual([expect.stringMatching(/^::notice title=Touchstone::a ## \[set/)]);
});

const WIDE = `import { mkdirSync, writeFileSync } from 'node:fs';
const [command, ...args] = process.argv.slice(2);
if (command === 'run') {
  mkdirSync(args[1]);
  writeFileSync(args[1] + '/rows.jsonl', '');
}
for (const stream of [process.stdout, process.stderr]) stream.write('━'.repeat(500_000));
`;

test('the sentence of a run begins the summary and is the annotation of its job, all on one line', async () => {
  const runner = new FakeRunner(await temporaryFolder());
  const sentence = '1 of 2 passed. buy failed: the page shows “100% `<b>`”,\nbut should not.';
  runner.install(`console.log(${JSON.stringify(`\n${sentence}\n\nmine/own 1 of 2`)}); process.exitCode = 1;`);
  runner.step('settings');
  const { log, summary } = runner.step('run');
  const line = sentence.replace('\n', ' ');
  expect(summary).toContain(`## Touchstone: not met\n\n\`\` ${line} \`\`\n`);
  expect(commandsIn(log)).toEqual([`::error title=Touchstone::${line.replace('%', '%25')}`]);
});

test('a run that could not begin has no sentence', async () => {
  const runner = new FakeRunner(await temporaryFolder());
  runner.install(`console.log('8 of 8 passed.'); process.exitCode = 2;`);
  runner.step('settings');
  const { log, summary } = runner.step('run');
  expect(commandsIn(log)).toEqual([]);
  expect(summary).not.toContain('`` 8 of 8');
});

test('a summary with everything at its longest fits GitHub’s limit', async () => {
  const runner = new FakeRunner(await temporaryFolder());
  runner.install(WIDE);
  mkdirSync(path.join(runner.workspace, 'base'));
  runner.step('settings', { 'base-bundle': 'base' });
  const { code, summary } = runner.step('run');
  expect(code).toBe(0);
  expect(summary.match(/\(cut; the whole is in the bundle\)/g)).toHaveLength(4);
  expect(Buffer.byteLength(summary)).toBeLessThan(2 ** 20);
});

test('no printed text ends the fence around it', async () => {
  const runner = new FakeRunner(await temporaryFolder());
  runner.install(`console.log(${JSON.stringify('passed\n````\n<img src=x>\n```')});`);
  runner.step('settings');
  const { summary } = runner.step('run');
  expect(summary.split('\n').filter((line) => line === '`````')).toHaveLength(1);
  expect(summary).toContain('`````text\npassed');
});
