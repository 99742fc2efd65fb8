import { describe, expect, it } from 'vitest';
import { taskHash } from '../../src/task/schema.ts';
import { loadTaskFile } from '../../src/task/load-task.ts';
import { formatted } from './problems-in.ts';
import { SAMPLE, sampleYaml } from './sample-task.ts';
import { tempFiles } from './temp-files.ts';

const JSON_TASK = JSON.stringify(SAMPLE, null, 2);
const SCRIPT = `
import { defineTask, type TaskInput } from 'touchstone';
const pattern: string = 'done$';
const task: TaskInput = ${JSON_TASK};
export default defineTask({ ...task, success: { kind: 'url', pattern } });
`;

describe('one task, four ways to write it, one hash', () => {
  it.each([
    ['YAML', 'a.yaml', sampleYaml()],
    ['JSON', 'a.json', JSON_TASK],
    ['TypeScript', 'a.ts', SCRIPT],
    ['TypeScript without defineTask', 'a.mts', `export default ${JSON_TASK};`],
  ])('%s', async (_, name, text) => {
    expect(await hashesOf(name, text)).toEqual(await hashesOf('a.yaml', sampleYaml({ maxSteps: '30' })));
  });
});

describe('a file may hold a list of tasks', () => {
  it.each([
    [
      'YAML',
      'a.yaml',
      `- ${sampleYaml().replaceAll('\n', '\n  ')}\n- ${sampleYaml({ id: 'b' }).replaceAll('\n', '\n  ')}`,
    ],
    ['JSON', 'a.json', JSON.stringify([SAMPLE, { ...SAMPLE, id: 'b' }])],
    ['TypeScript', 'a.ts', `const a = ${JSON_TASK}; export default [a, { ...a, id: 'b' }];`],
  ])('%s', async (_, name, text) => {
    await using files = await tempFiles({ [name]: text });
    const loaded = await loadTaskFile(files.path(name));
    expect(loaded.ok && loaded.tasks.map(({ task }) => task.id)).toEqual(['sample', 'b']);
  });
});

describe('YAML follows version 1.2', () => {
  it('words like yes and dates are text', async () => {
    expect(await taskOf(sampleYaml({ title: 'yes', tags: '[no, 2026-01-01]' }))).toMatchObject({
      title: 'yes',
      tags: ['no', '2026-01-01'],
    });
  });

  it('an anchor may be used again', async () => {
    expect(await taskOf(sampleYaml({ success: '&same { kind: no_dialog }', guards: '*same' }))).toMatchObject({
      guards: { kind: 'no_dialog' },
    });
  });
});

describe('a hostile file is answered', () => {
  it.each([
    ['flow lists', '['.repeat(2_000), 'a.yaml:1:1: is nested too deeply to be a task; flatten it'],
    ['block lists', '- '.repeat(2_000), 'a.yaml:1:1: is nested too deeply to be a task; flatten it'],
  ])('nested very deeply, in %s', async (_, text, message) => {
    expect(await problemsOf('a.yaml', text)).toEqual([message]);
  });

  it('JSON nested very deeply', async () => {
    expect(await problemsOf('a.json', '['.repeat(2_000) + ']'.repeat(2_000))).toEqual([
      'a.json:1:1: is nested too deeply to be a task; flatten it',
    ]);
  });

  it('larger than 1 MB', async () => {
    expect(await problemsOf('a.yaml', '#'.repeat(1_048_577))).toEqual([
      'a.yaml: is larger than 1048576 bytes (it has 1048577); split it',
    ]);
    expect(await problemsOf('a.ts', ' '.repeat(1_048_577))).toEqual([
      'a.ts: is larger than 1048576 bytes (it has 1048577); split it',
    ]);
  });

  it('just 1 MB is read', async () => {
    const text = sampleYaml();
    expect(await problemsOf('a.yaml', `${text}#${'#'.repeat(1_048_575 - text.length)}`)).toEqual([]);
  });

  it('with twenty thousand unknown aliases', async () => {
    expect(await problemsOf('a.yaml', `y: [${'*a,'.repeat(20_000)}]`)).toHaveLength(20_000);
  });

  it('with ten thousand fields, of which a hundred are listed', async () => {
    const fields = Array.from({ length: 10_000 }, (_, index) => `field${index}: 1\n`).join('');
    const problems = await problemsOf('a.yaml', sampleYaml() + fields);
    expect(problems).toHaveLength(101);
    expect(problems).toContainEqual(expect.stringContaining('9900 more problems'));
  });
});

describe('a path that is no task file', () => {
  it('does not exist', async () => {
    await using files = await tempFiles({});
    const loaded = await loadTaskFile(files.path('a.yaml'));
    expect(!loaded.ok && loaded.problems.map(formatted)).toEqual(['a.yaml: does not exist; check the path']);
  });

  it('is a folder', async () => {
    await using files = await tempFiles({ 'a.yaml/b': '' });
    const loaded = await loadTaskFile(files.path('a.yaml'));
    expect(!loaded.ok && loaded.problems.map(formatted)).toEqual(['a.yaml: is not a file; name a task or suite file']);
  });
});

async function hashesOf(name: string, text: string): Promise<string[]> {
  await using files = await tempFiles({ [name]: text });
  const loaded = await loadTaskFile(files.path(name));
  return loaded.ok ? loaded.tasks.map(({ task }) => taskHash(task)) : loaded.problems.map(formatted);
}

async function taskOf(yaml: string): Promise<unknown> {
  await using files = await tempFiles({ 'a.yaml': yaml });
  const loaded = await loadTaskFile(files.path('a.yaml'));
  return loaded.ok ? loaded.tasks[0]?.task : loaded.problems.map(formatted);
}

async function problemsOf(name: string, text: string): Promise<string[]> {
  await using files = await tempFiles({ [name]: text });
  const loaded = await loadTaskFile(files.path(name));
  return loaded.ok ? [] : loaded.problems.map(formatted);
}
