import { mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tmpdir } from 'node:os';
import { temporaryFolder } from '../temporary-folder.ts';
import { outcomeHash } from './bundle-files.ts';
import { touchstone } from './touchstone.ts';
import { startTouchstoneWith } from './touchstone-process.ts';

const RUN = ['run', 'basics', '--agent', 'transcript', '--task', 'example-h1,dialog-delete'];
const HOOK = pathToFileURL(path.join(import.meta.dirname, 'fixtures/at-a-write.mjs')).href;

/** Findings in a campaign without its seal, without its report, and with half of a page. */
const UNFINISHED = /not finished: ended early|^seal\.json: is missing/m;
const UNREPORTED = /^report\.json: is missing/m;
const HALF_A_PAGE = /^\.report\.html\.\S+\.tmp: does not belong to a bundle/m;

let folder = '';
let undisturbed: unknown;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'touchstone-killed-'));
  const whole = path.join(folder, 'whole');
  const { exit, err } = await touchstone(...RUN, '--out', whole);
  if (exit !== 0) throw new Error(err);
  undisturbed = await outcomeHash(whole);
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function runWith(bundle: string, at: string, then: string): Promise<number | null> {
  const variables = { NODE_OPTIONS: `--import ${HOOK}`, AT: at, THEN: then };
  return await startTouchstoneWith(variables, ...RUN, '--out', bundle).ended;
}

async function sealed(bundle: string): Promise<number[]> {
  const lines = (await readFile(path.join(bundle, 'ledger.jsonl'), 'utf8')).trimEnd().split('\n');
  const counts = new Map<string, number>();
  for (const { kind, episode_id: id } of lines.map((line) => JSON.parse(line))) {
    if (kind === 'sealed') counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return [...counts.values()];
}

test.each([
  ['the evidence of the second episode', 'blobs/[0-9a-f]{64}@9', UNFINISHED],
  ['the row of the second episode', '/row\\.json$@2', UNFINISHED],
  ['the seal of the second episode', '/1/seal\\.json$@2', UNFINISHED],
  ['all rows', '/rows\\.jsonl$@1', UNFINISHED],
  ['the seal of the campaign', '/bundle/seal\\.json$@1', UNFINISHED],
  ['the report for machines', '/report\\.json$@1', UNREPORTED],
  ['the report as a page', '/report\\.html$@1', HALF_A_PAGE],
])(
  'a run killed while writing %s loses no finished episode, and counts no unfinished one',
  async (_what, at, found) => {
    const bundle = path.join(await temporaryFolder(), 'bundle');
    expect(await runWith(bundle, at, 'killed')).toBeNull();
    const before = await sealed(bundle);
    expect(await touchstone('verify', bundle)).toMatchObject({ exit: 1, out: expect.stringMatching(found) });

    expect(await touchstone('run', '--resume', bundle)).toMatchObject({ exit: 0 });
    expect(await outcomeHash(bundle)).toBe(undisturbed);
    expect((await sealed(bundle)).slice(0, before.length)).toEqual(before);
    expect(await sealed(bundle)).toEqual([1, 1]);
    expect(await touchstone('verify', bundle)).toMatchObject({ exit: 0 });
  },
);

test('evidence that disappears during a campaign is missed at its end and on resuming', async () => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  expect(await runWith(bundle, '/row\\.json$@2', path.join(bundle, 'blobs'))).toBe(1);
  for (const command of [['verify'], ['run', '--resume'], ['verify']]) {
    const { exit, out, err } = await touchstone(...command, bundle);
    expect({ command, exit }).toEqual({ command, exit: 1 });
    expect(`${out}${err}`).toMatch(/does not verify|is missing, but episodes/);
  }
});
