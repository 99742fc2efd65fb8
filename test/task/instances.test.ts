import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { taskName } from '../../src/task/instance.ts';
import { loadTaskFile } from '../../src/task/load-task.ts';
import { taskHash } from '../../src/task/schema.ts';
import { loadSuite } from '../../src/task/load-suite.ts';
import { DrawSecret } from '../../src/task/draw.ts';
import { formatted } from './problems-in.ts';
import { sampleYaml } from './sample-task.ts';
import { tempFiles } from './temp-files.ts';

const ORDER = {
  goal: 'Order {{count}} of {{ thing }}.',
  startUrl: 'http://basics.localhost/{{thing}}',
  success: "{ kind: app_state, pointer: '/{{thing}}', equals: '{{count}}' }",
  instances:
    '[{ name: pears, parameters: { thing: pear, count: 3 } }, { name: figs, seed: 7, parameters: { thing: fig, count: 5 } }]',
};

async function load(fields: Record<string, string>) {
  await using files = await tempFiles({ 'a.yaml': sampleYaml(fields) });
  return await loadTaskFile(files.path('a.yaml'));
}

async function tasksOf(fields: Record<string, string>) {
  const loaded = await load(fields);
  if (!loaded.ok) throw new Error(loaded.problems.map(formatted).join('\n'));
  return loaded.tasks.map(({ task }) => task);
}

async function problemsOf(fields: Record<string, string>): Promise<string[]> {
  const loaded = await load(fields);
  return loaded.ok ? [] : loaded.problems.map(formatted);
}

describe('a task that lists instances', () => {
  it('becomes a task for each, with its parameters in every text', async () => {
    expect(await tasksOf(ORDER)).toMatchObject([
      { id: 'sample', goal: 'Order 3 of pear.', startUrl: 'http://basics.localhost/pear' },
      { id: 'sample', goal: 'Order 5 of fig.', startUrl: 'http://basics.localhost/fig' },
    ]);
  });

  it('keeps a lone placeholder a number', async () => {
    const [pears] = await tasksOf(ORDER);
    expect(pears?.success).toEqual({ kind: 'app_state', pointer: '/pear', equals: 3 });
  });

  it('passes on name, seed and parameters, but no list', async () => {
    const [pears, figs] = await tasksOf(ORDER);
    expect(pears?.instance).toEqual({ name: 'pears', parameters: { thing: 'pear', count: 3 } });
    expect(figs?.instance).toEqual({ name: 'figs', seed: 7, parameters: { thing: 'fig', count: 5 } });
    expect(pears).not.toHaveProperty('instances');
  });

  it('has another hash and another name for each', async () => {
    const tasks = await tasksOf(ORDER);
    expect(new Set(tasks.map(taskHash)).size).toBe(2);
    expect(tasks.map(taskName)).toEqual(['sample@pears', 'sample@figs']);
  });
});

describe('a task without instances', () => {
  it('keeps its name, and braces in its texts', async () => {
    const tasks = await tasksOf({ goal: 'Write {{count}} as it stands.' });
    expect(tasks.map(taskName)).toEqual(['sample']);
    expect(tasks[0]?.goal).toBe('Write {{count}} as it stands.');
  });
});

describe('impossible instances are refused, by place and with a remedy', () => {
  it.each([
    ['none', '[]', ['a.yaml:6:1 instances: is empty; list at least one instance']],
    [
      'two of one name',
      '[{ name: a, parameters: { thing: x, count: 1 } }, { name: a, parameters: { thing: y, count: 1 } }]',
      ['a.yaml:6:64 instances[1].name: is listed twice; give each its own'],
    ],
    [
      'a parameter that is a list',
      '[{ name: a, parameters: { thing: [x], count: 1 } }]',
      ['a.yaml:6:38 instances[0].parameters.thing: must be a number, or text of at most 1000 characters'],
    ],
    [
      'a parameter that one of them has not',
      '[{ name: a, parameters: { thing: x, count: 1 } }, { name: b, parameters: { thing: y } }]',
      [
        'a.yaml:4:1 goal: names the parameter "count", which instance "b" does not have (it has: thing)',
        'a.yaml:5:52 success.equals: names the parameter "count", which instance "b" does not have (it has: thing)',
      ],
    ],
  ])('%s', async (_, instances, problems) => {
    expect(await problemsOf({ ...ORDER, instances })).toEqual(problems);
  });

  it('next to an instance', async () => {
    expect(await problemsOf({ ...ORDER, instance: '{ name: a, parameters: {} }' })).toEqual([
      'a.yaml:7:1 instance: cannot be given with instances; keep one of them',
    ]);
  });

  it('a property that every object has is no parameter', async () => {
    expect(await problemsOf({ ...ORDER, goal: 'As {{constructor}}.' })).toEqual([
      expect.stringContaining('names the parameter "constructor", which instance "pears" does not have'),
      expect.stringContaining('names the parameter "constructor", which instance "figs" does not have'),
    ]);
  });

  it('a problem of all instances is reported once, with their names', async () => {
    expect(await problemsOf({ ...ORDER, maxSteps: '0' })).toEqual([
      'a.yaml:7:1 maxSteps: must be at least 1, not 0 (in instance "pears")',
    ]);
  });
});

it('two files cannot hold the same instance of a task, but may hold two', async () => {
  const suite = (instance: string) => ({
    'suite.yaml':
      'id: s\ntitle: S\ntasks: [a.yaml, b.yaml]\nworld: { kind: local, sites: [{ origin: http://basics.localhost, static: site }] }\n',
    'site/index.html': '',
    'a.yaml': sampleYaml({ instances: '[{ name: one, parameters: {} }]' }),
    'b.yaml': sampleYaml({ instances: `[{ name: ${instance}, parameters: {} }]` }),
  });
  await using same = await tempFiles(suite('one'));
  await using other = await tempFiles(suite('two'));
  const refused = await loadSuite(same.folder);
  const what = { code: 'id_of_another_task', params: { task: 'sample@one', file: path.join(same.folder, 'a.yaml') } };
  expect(refused).toMatchObject({ problems: [{ what }] });
  expect((await loadSuite(other.folder)).ok).toBe(true);
});

describe('a task with "draw"', () => {
  const DRAWN = {
    ...ORDER,
    draw: '{ what: [{ thing: pear }, { thing: fig }, { thing: plum }], count: { from: 1, to: 1000000 } }',
  };
  const secret = (text: string) => new DrawSecret(Buffer.from(text));

  async function drawn(text: string | null, suite = 's') {
    await using files = await tempFiles({ 'a.yaml': sampleYaml(DRAWN) });
    const from = text === null ? null : { secret: secret(text), suite };
    const loaded = await loadTaskFile(files.path('a.yaml'), { drawn: from });
    if (!loaded.ok) throw new Error(loaded.problems.map(formatted).join('\n'));
    return loaded.tasks.map(({ task }) => task);
  }

  it('has its listed instances without a secret, and their hashes', async () => {
    expect((await drawn(null)).map(taskHash)).toEqual((await tasksOf(ORDER)).map(taskHash));
  });

  it('has as many instances with a secret, with values from "draw"', async () => {
    const tasks = await drawn('one');
    expect(tasks.map(taskName)).toEqual(['sample@drawn-1', 'sample@drawn-2']);
    for (const { goal, draw, instance } of tasks) {
      expect(goal).toMatch(/^Order \d+ of (?:pear|fig|plum)\.$/);
      expect(draw).toHaveProperty('what');
      expect(instance?.seed).toBeGreaterThan(0);
    }
  });

  it('has the same ones with the same secret', async () => {
    expect(await drawn('one')).toEqual(await drawn('one'));
  });

  it.each([
    ['secret', () => drawn('two')],
    ['suite', () => drawn('one', 'other')],
  ])('has different ones with another %s', async (_what, other) => {
    const seeds = [...(await drawn('one')), ...(await other())].map(({ instance }) => instance?.seed);
    expect(new Set(seeds).size).toBe(4);
  });

  it.each([
    ['no instances', { goal: 'Go.', draw: DRAWN.draw }, 'draw: is allowed only with "instances"'],
    ['a minimum above its maximum', { ...ORDER, draw: '{ count: { from: 2, to: 1 } }' }, 'has a minimum above'],
    ['an empty "draw"', { ...ORDER, draw: '{}' }, 'draw: is empty; list at least one name'],
    ['an empty list', { ...ORDER, draw: '{ thing: [] }' }, 'is empty; list at least one value'],
    ['a value that no parameter may have', { ...ORDER, draw: `{ thing: [${'x'.repeat(1_001)}] }` }, 'draw.thing'],
    [
      'a listed instance that is named like a drawn one',
      { ...DRAWN, instances: '[{ name: drawn-1, parameters: { thing: fig, count: 1 } }]' },
      'begins with "drawn-", as only drawn instances do',
    ],
    [
      'a value without a parameter that the task names',
      { ...ORDER, draw: '{ what: [{ thing: fig, count: 1 }, { thing: fig }] }' },
      'names the parameter "count", which instance "drawn-2" does not have',
    ],
  ])('is refused with %s', async (_what, fields, problem) => {
    expect((await problemsOf(fields))[0]).toContain(problem);
  });
});
