import path from 'node:path';
import { expect, test } from 'vitest';
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

const taskOf = (id: string, tag: string, more: object = {}) => ({
  id,
  title: id,
  startUrl: 'http://notes.localhost/',
  goal: 'Add the note "Salt", and answer with the JSON that WebArena-Verified asks for.',
  tags: [tag],
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

test('an episode is judged from its bundle: right requests pass, a wrong field fails, what was not kept is inconclusive', async () => {
  const folder = await folderOf({
    'suite/suite.yaml': SUITE,
    'suite/app.ts': APP,
    'suite/tasks.json': JSON.stringify([
      taskOf('right', 'webarena-verified:8', WHOLE),
      taskOf('other-field', 'webarena-verified:9', WHOLE),
      taskOf('other-response', 'webarena-verified:10', WHOLE),
      taskOf('credentials', 'webarena-verified:11', WHOLE),
      taskOf('not-kept', 'webarena-verified:8'),
      taskOf('of-another-set', 'webarena:8'),
    ]),
    'checkout/assets/dataset/webarena-verified.json': JSON.stringify(ROWS),
    'sites.json': JSON.stringify({ environments: { __GITLAB__: { urls: ['http://notes.localhost'] } } }),
  });
  const [suite, checkout, sites, bundle] = ['suite', 'checkout', 'sites.json', 'bundle'].map((name) =>
    path.join(folder, name),
  );
  expect(
    await touchstone('run', suite ?? '', '--agent', 'reference', '--out', bundle ?? '', '--workers', '1'),
  ).toMatchObject({
    exit: 0,
  });
  const args = [bundle ?? '', '--dataset', checkout ?? '', '--sites', sites ?? '', '--json'];
  const { exit, out } = await touchstone('judge', 'webarena-verified', ...args);
  expect(exit).toBe(1);
  expect(JSON.parse(out).tasks).toMatchObject([
    { task_id: 8, verdict: 'pass', findings: [], run: expect.stringContaining('reference/aria') },
    { task_id: 9, verdict: 'fail', findings: [{ params: { field: 'post_data.title', given: '"Salt"' } }] },
    { task_id: 10, verdict: 'fail', findings: [{ params: { field: 'response_content.saved' } }] },
    { task_id: 11, verdict: 'inconclusive', findings: [{ params: { parts: ['credentials'] } }] },
    {
      task_id: 8,
      verdict: 'inconclusive',
      findings: [{ code: 'record_incomplete', params: { parts: ['request_headers', 'response_body'] } }],
    },
  ]);
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
