import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { copyOf } from '../committed-bundle.ts';
import { MUTATED, requestCheck, ROW } from '../dataset/verified-rows.ts';
import { folderOf } from '../suite-files.ts';
import { touchstone } from './touchstone.ts';

const APP = `import { defineApp } from 'touchstone';
const page = '<!doctype html><title>Notes</title><form method="post" action="/notes"><label>Title <input name="title"></label> <button>Add</button></form>';
export default defineApp(() => {
  const notes = [];
  return {
    state: () => ({ notes }),
    async fetch(request) {
      if (request.method !== 'POST') return new Response(page, { headers: { 'content-type': 'text/html' } });
      notes.push(new URLSearchParams(await request.text()).get('title'));
      return Response.json({ saved: true, count: notes.length });
    },
  };
});
`;

const SUITE = `id: notes
title: Notes
tasks: [tasks.json]
world: { kind: local, sites: [{ origin: http://notes.localhost, app: app.ts }] }
`;

const taskOf = (id: string, tags: string[], more: object = {}) => ({
  id,
  title: id,
  startUrl: 'http://notes.localhost/',
  goal: ROW.intent,
  tags,
  success: { kind: 'app_state', pointer: '/notes', equals: ['Salt'] },
  solutions: [
    {
      steps: [
        { do: 'fill', label: 'Title', text: 'Salt' },
        { do: 'click', role: 'button', name: 'Add' },
        { do: 'wait_for', text: 'saved' },
        { do: 'answer', value: { task_type: 'MUTATE', status: 'SUCCESS' } },
      ],
    },
  ],
  ...more,
});

const WHOLE = { setup: { wholeExchanges: true } };

const SENT = {
  http_method: 'POST',
  headers: { referer: '__GITLAB__/' },
  post_data: { title: 'Salt' },
  response_content: { saved: true },
};

const ROWS = [
  { task_id: 8, expected: SENT },
  { task_id: 9, expected: { ...SENT, post_data: { title: 'Rice' } } },
  { task_id: 10, expected: { ...SENT, response_content: { saved: false } } },
  { task_id: 11, expected: { ...SENT, headers: { Cookie: 'mode=foot' } } },
].map(({ task_id, expected }) => ({ ...ROW, task_id, eval: [MUTATED, requestCheck(expected)] }));

test('an episode is judged from its bundle: right requests pass, a wrong field fails, what is not known is inconclusive', async () => {
  const folder = await folderOf({
    'suite/suite.yaml': SUITE,
    'suite/app.ts': APP,
    'suite/tasks.json': JSON.stringify([
      taskOf('right', ['webarena-verified:8', 'webarena-verified:9'], WHOLE),
      taskOf('other-response', ['webarena-verified:10'], WHOLE),
      taskOf('credentials', ['webarena-verified:11'], WHOLE),
      taskOf('other-goal', ['webarena-verified:8'], { ...WHOLE, goal: 'Add the note "Salt".' }),
      taskOf('of-another-set', ['webarena:8']),
      taskOf('not-kept', ['webarena-verified:8']),
    ]),
    'checkout/assets/dataset/webarena-verified.json': JSON.stringify(ROWS),
    'sites.json': JSON.stringify({ environments: { __GITLAB__: { urls: ['http://notes.localhost'] } } }),
  });
  const at = (name: string): string => path.join(folder, name);
  const ran = await touchstone('run', at('suite'), '--agent', 'reference', '--out', at('bundle'), '--workers', '1');
  expect(ran).toMatchObject({ exit: 0 });
  const judged = async (bundle: string) =>
    touchstone(
      'judge',
      'webarena-verified',
      bundle,
      '--dataset',
      at('checkout'),
      '--sites',
      at('sites.json'),
      '--json',
    );
  const { exit, out } = await judged(at('bundle'));
  expect(exit).toBe(1);
  const known = [
    { task_id: 8, verdict: 'pass', findings: [], run: 'right #1 reference/aria' },
    { task_id: 9, verdict: 'fail', findings: [{ params: { field: 'post_data.title', given: '"Salt"' } }] },
    { task_id: 10, verdict: 'fail', findings: [{ params: { field: 'response_content.saved' } }] },
    { task_id: 11, verdict: 'inconclusive', findings: [{ params: { parts: ['credentials'] } }] },
    { task_id: 8, verdict: 'inconclusive', findings: [{ code: 'record_of_other_goal' }] },
  ];
  const incomplete = { code: 'record_incomplete', params: { parts: ['request_headers', 'response_body'] } };
  expect(JSON.parse(out).tasks).toMatchObject([
    ...known,
    { task_id: 8, verdict: 'inconclusive', findings: [incomplete] },
  ]);

  const unfinished = await copyOf(at('bundle'));
  const records = (await readFile(unfinished.ledger, 'utf8')).trimEnd().split('\n');
  const last = records.findLastIndex((record) => record.includes('"kind":"sealed"'));
  await writeFile(unfinished.ledger, `${records.slice(0, last).join('\n')}\n`);
  const derived = [unfinished.rows, unfinished.report('json'), unfinished.report('md'), unfinished.report('html')];
  for (const file of [unfinished.seal, ...derived]) await rm(file);
  expect(JSON.parse((await judged(unfinished.root)).out).tasks).toMatchObject([
    ...known,
    { task_id: 8, verdict: 'inconclusive', findings: [{ code: 'record_missing' }, { code: 'record_missing' }] },
  ]);

  await writeFile(unfinished.ledger, records.slice(0, last).join('\n').replace('"kind":"sealed"', '"kind":"voided"'));
  expect(await judged(unfinished.root)).toMatchObject({ exit: 2, err: expect.stringContaining('ledger.jsonl') });
});

test('a bundle whose tasks name no task of the data set is refused', async () => {
  const folder = await folderOf({ 'checkout/assets/dataset/webarena-verified.json': JSON.stringify(ROWS) });
  const bundle = path.resolve(import.meta.dirname, '../../docs/bundles/webvoyager.zip');
  const { exit, err } = await touchstone(
    'judge',
    'webarena-verified',
    bundle,
    '--dataset',
    path.join(folder, 'checkout'),
  );
  expect({ exit, err }).toMatchObject({ exit: 2, err: expect.stringContaining('webarena-verified:108') });
});
