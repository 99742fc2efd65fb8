import { expect, test } from 'vitest';
import { importCheckout } from '../../src/dataset/import-checkout.ts';
import { IMPORTERS } from '../../src/dataset/importers.ts';
import { folderOf } from '../suite-files.ts';
import { answerCheck, ROW } from './verified-rows.ts';

async function imported(name: string, files: Record<string, unknown>) {
  const importer = IMPORTERS.find((each) => each.name === name);
  if (importer === undefined) throw new Error(`no importer ${name}`);
  const texts = Object.entries(files).map(([file, value]) => [
    file,
    typeof value === 'string' ? value : JSON.stringify(value, null, 1),
  ]);
  return await importCheckout(importer, await folderOf(Object.fromEntries(texts), 'checkout'));
}

const ARENA = {
  task_id: 3,
  intent: 'Find it',
  start_url: '__MAP__ |AND| __WIKI__',
  eval: { reference_answers: { exact_match: 'x' } },
};

const EVAL = { messages: [{ type: 'message', content: 'Find it' }], expectedCall: [{ functionName: 'find' }] };

/** For each data set: its rows, in our words, and the task that is listed for the first. */
const SETS: [name: string, files: Record<string, unknown>, task: object][] = [
  [
    'webarena',
    { 'config_files/test.raw.json': [ARENA] },
    {
      id: '3',
      goal: 'Find it',
      start_urls: ['__MAP__', '__WIKI__'],
      standing: 'needs a contract',
      upstream: ARENA.eval,
    },
  ],
  [
    'visualwebarena',
    { 'config_files/vwa/test_reddit.raw.json': [{ ...ARENA, eval: { page_image_query: [{ eval_vqa: [] }] } }] },
    { id: 'reddit-3', standing: 'judged by a model upstream' },
  ],
  [
    'webchorearena',
    {
      'BrowserGym/config_files/test_webchore.raw.json': [
        { ...ARENA, eval: { reference_answers: { fuzzy_match: ['x'] } } },
      ],
    },
    { id: '3', standing: 'judged by a model upstream' },
  ],
  [
    'webarena-verified',
    { 'assets/dataset/webarena-verified.json': [{ ...ROW, eval: [answerCheck({ type: 'string' }, ['x'])] }] },
    { id: '7', standing: 'deterministic here', upstream: ['AgentResponseEvaluator'] },
  ],
  [
    'webarena-infinity',
    { 'apps/mail/real-tasks.json': [{ id: 'task_e1', instruction: 'Star it', difficulty: 'easy', verify: 'a.py' }] },
    {
      id: 'mail/task_e1',
      goal: 'Star it',
      standing: 'draft',
      upstream: { app: 'mail', difficulty: 'easy', verify: 'a.py' },
    },
  ],
  [
    'webgames',
    {
      'evals/browseruse_webgames/webgames_tasks.jsonl':
        '{"path":"wait/*","description":"Wait","tags":["timed"],"password":"WAITED"}\n',
    },
    {
      id: 'wait',
      goal: 'Wait. The game at http://webgames.localhost/wait shows a password to those who win it. Answer with that password alone.',
      start_urls: ['http://webgames.localhost/wait'],
      standing: 'draft',
      upstream: { tags: ['timed'], password: 'WAITED' },
    },
  ],
  [
    'webmcp-evals',
    { 'webmcp-evals/examples/shop/evals.json': [EVAL] },
    {
      id: 'shop-Find-it',
      goal: 'Find it',
      start_urls: ['http://evals.localhost/shop'],
      standing: 'draft',
      upstream: EVAL.expectedCall,
    },
  ],
  [
    'webvoyager',
    { 'data/WebVoyager_data.jsonl': '{"id":"A--0","ques":"Find it","web":"https://a.example/"}\n' },
    { id: 'A--0', goal: 'Find it', start_urls: ['https://a.example/'], standing: 'judged by a model upstream' },
  ],
];

test('every importer has a case here', () => {
  expect(SETS.map(([name]) => name).toSorted()).toEqual(IMPORTERS.map(({ name }) => name).toSorted());
});

test.each(SETS)('%s: a row becomes a task with its standing', async (name, files, task) => {
  expect(await imported(name, files)).toMatchObject({ tasks: [task], excluded: [], commit: null });
});

test.each(SETS)('%s: a row without its fields is excluded, with the file and line', async (name, files) => {
  const [file = ''] = Object.keys(files);
  const { tasks, excluded } = await imported(name, { [file]: file.endsWith('.jsonl') ? '\n{"a":1}\n' : [{ a: 1 }] });
  expect(tasks).toEqual([]);
  expect(excluded).toContainEqual(
    expect.objectContaining({ file, line: 2, what: expect.objectContaining({ code: 'field_missing' }) }),
  );
});

test('a second row with an id is excluded; so is a line that is not JSON', async () => {
  const line = '{"id":"A--0","ques":"Find it","web":"https://a.example/"}';
  const { tasks, excluded } = await imported('webvoyager', {
    'data/WebVoyager_data.jsonl': `${line}\n${line}\n{"id"\n`,
  });
  expect(tasks).toHaveLength(1);
  expect(excluded).toMatchObject([
    { line: 2, path: ['id'], what: { code: 'name_taken' } },
    { line: 3, what: { code: 'json_invalid' } },
  ]);
});

test.each([
  ['its HEAD', { '.git/HEAD': 'a'.repeat(40) }],
  ['its branch', { '.git/HEAD': 'ref: refs/heads/main\n', '.git/refs/heads/main': `${'a'.repeat(40)}\n` }],
  [
    'its packed branches',
    { '.git/HEAD': 'ref: refs/heads/main', '.git/packed-refs': `# pack\n${'a'.repeat(40)} refs/heads/main\n` },
  ],
])('the commit of a clone is read from %s', async (_where, files) => {
  const { commit } = await imported('webarena', { 'config_files/test.raw.json': [ARENA], ...files });
  expect(commit).toBe('a'.repeat(40));
});

test('a folder without the files of the data set is refused', async () => {
  await expect(imported('webarena', { 'README.md': 'x' })).rejects.toMatchObject({ code: 'rows_not_found' });
});
