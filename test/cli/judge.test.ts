import path from 'node:path';
import { expect, test } from 'vitest';
import { answerCheck, exchange, MUTATED, requestCheck, ROW } from '../dataset/verified-rows.ts';
import { folderOf } from '../suite-files.ts';
import { touchstone } from './touchstone.ts';

const ROWS = [
  { ...ROW, eval: [answerCheck({ type: 'number' }, [3])] },
  { ...ROW, task_id: 8, eval: [MUTATED, requestCheck({ http_method: 'POST' })] },
];
const CONFIG = { environments: { __GITLAB__: { urls: ['http://localhost:8023'] } } };

function harOf({ url, status }: ReturnType<typeof exchange>) {
  return { log: { entries: [{ request: { method: 'POST', url, headers: [] }, response: { status } }] } };
}

async function judged(files: Record<string, unknown>, rows: unknown = ROWS, ...more: string[]) {
  const place = await folderOf(
    {
      'checkout/assets/dataset/webarena-verified.json': JSON.stringify(rows, null, 1),
      'config.json': JSON.stringify(CONFIG),
      ...Object.fromEntries(Object.entries(files).map(([name, value]) => [`runs/${name}`, JSON.stringify(value)])),
    },
    'judged',
  );
  const [runs, checkout, config] = ['runs', 'checkout', 'config.json'].map((name) => path.join(place, name));
  return await touchstone(
    'judge',
    'webarena-verified',
    runs ?? '',
    '--dataset',
    checkout ?? '',
    '--sites',
    config ?? '',
    ...more,
  );
}

const RIGHT = {
  '7/agent_response.json': { task_type: 'RETRIEVE', status: 'SUCCESS', retrieved_data: ['three'] },
  '8/agent_response.json': { task_type: 'MUTATE', status: 'SUCCESS' },
  '8/network.har': harOf(exchange()),
};

test('stored runs that did what their tasks ask pass', async () => {
  expect(await judged(RIGHT)).toMatchObject({ exit: 0, out: expect.stringContaining('2 pass') });
});

test('a wrong run exits with 1, and JSON has its findings with code and words', async () => {
  const { exit, out } = await judged({ ...RIGHT, '8/network.har': harOf(exchange({ status: 500 })) }, ROWS, '--json');
  const { counts, tasks } = JSON.parse(out);
  expect({ exit, counts, task: tasks[1] }).toMatchObject({
    exit: 1,
    counts: { pass: 1, fail: 1, inconclusive: 0 },
    task: { task_id: 8, verdict: 'fail', findings: [{ code: 'record_differs', params: { field: 'response_status' } }] },
  });
});

test('requests that cannot be read are inconclusive, by file and field', async () => {
  const { exit, out } = await judged({ ...RIGHT, '8/network.har': { log: {} } });
  expect({ exit, out }).toMatchObject({
    exit: 1,
    out: expect.stringMatching(/8 +inconclusive .*network\.har log\.entries/),
  });
});

test('every malformed row is named with its line and field', async () => {
  const { exit, err } = await judged(RIGHT, [
    { ...ROWS[0], intent: 3 },
    { ...ROWS[1], eval: [] },
  ]);
  expect(exit).toBe(2);
  expect(err).toMatch(
    /webarena-verified\.json:\d+:\d+ \[0\]\.intent: .*\n.*webarena-verified\.json:\d+:\d+ \[1\]\.eval: /,
  );
});

test('a folder without tasks, or with a task that the data set lacks, is refused', async () => {
  expect(await judged({ 'x/y.json': 1 })).toMatchObject({
    exit: 2,
    err: expect.stringContaining('no folder of a task'),
  });
  expect(await judged({ '9/agent_response.json': {} })).toMatchObject({
    exit: 2,
    err: expect.stringContaining('no task 9'),
  });
});
