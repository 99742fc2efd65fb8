import { cp, readFile, writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, test } from 'vitest';
import { MEASURED_FIELDS, type Row } from '../../src/bundle/row.ts';
import { touchstone } from '../cli/touchstone.ts';
import { committedBundle, copyOf } from '../committed-bundle.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { findingsOf, forge as forgeAny, type Forged, type Forgery, recordProblems, TOOL_SERVERS } from './forge.ts';
import { smallBundle } from './small-bundle.ts';

const small = smallBundle({
  source: TOOL_SERVERS,
  tasks: ['dialog-delete'],
  surfaces: ['playwright-mcp', 'playwright', 'aria'],
});
const STRESS = await committedBundle('stress');
const ACCOUNT = await committedBundle('account');

type EditRow = NonNullable<Forgery['row']>;

async function forge(forgery: Forgery): Promise<Forged> {
  return await forgeAny({ bundle: small(), ...forgery });
}

function unmeasured(field: (typeof MEASURED_FIELDS)[number]): EditRow {
  return ({ null_reasons: reasons }) => ({
    [field]: null,
    null_reasons: { ...reasons, [field]: 'it was not measured' },
  });
}

function measured(field: (typeof MEASURED_FIELDS)[number], value: unknown): EditRow {
  return ({ null_reasons: { [field]: _why, ...others } }) => ({ [field]: value, null_reasons: others });
}

function later(at: string | null, ms: number): string {
  return new Date(Date.parse(at ?? '') + ms).toISOString();
}

const HASH = 'a'.repeat(64);

describe('an edited row, with all hashes recomputed, is named with its field:', () => {
  const CASES: [field: string, edit: EditRow, of?: Forgery][] = [
    ['steps', ({ steps }) => ({ steps: (steps ?? 0) - 1 })],
    ['steps', unmeasured('steps')],
    ['tool_errors', ({ tool_errors: n }) => ({ tool_errors: (n ?? 0) + 1 })],
    ['tool_errors', unmeasured('tool_errors')],
    ['hallucination', () => ({ hallucination: 'filtered' })],
    ['hallucination', measured('hallucination', 'none'), { of: { surface: 'playwright' } }],
    ['shortcut_calls', () => ({ shortcut_calls: 1 }), { of: { surface: 'aria' } }],
    ['response_bytes', () => ({ response_bytes: 1 })],
    ['tool_ms', () => ({ tool_ms: 1 })],
    ['tool_ms', unmeasured('tool_ms')],
    ['wall_ms', ({ wall_ms: ms }) => ({ wall_ms: (ms ?? 0) - 0.1 })],
    ['wall_ms', unmeasured('wall_ms')],
    ['cdp_commands', () => ({ cdp_commands: 1 })],
    ['cdp_commands', unmeasured('cdp_commands')],
    ['script_calls', ({ script_calls: n }) => ({ script_calls: (n ?? 0) + 1 })],
    ['process_isolation', () => ({ process_isolation: null })],
    ['last_tool_call', () => ({ last_tool_call: null })],
    ['last_tool_call', () => ({ last_tool_call: { tool: 'x', args: {} } })],
    ['final_url', () => ({ final_url: 'http://basics.localhost/won' })],
    ['bench_commit', () => ({ bench_commit: 'abcdef' })],
    ['judge_version', () => ({ judge_version: '9' })],
    ['browser', () => ({ browser: null })],
    ['model_id', () => ({ model_id: 'm' })],
    ['timeouts', ({ timeouts }) => ({ timeouts: { ...timeouts, settle_ms: 1 } })],
    ['timeouts', ({ timeouts }) => ({ timeouts: { ...timeouts, call_ms: 1 } })],
    ['app_hash', () => ({ app_hash: HASH })],
    ['world_kind', () => ({ world_kind: 'real_app' })],
    ['mode', () => ({ mode: 'dry-run' })],
    ['isolation', () => ({ isolation: 'context' })],
    ['interaction', () => ({ interaction: 'one-shot' })],
    ['surface_version', () => ({ surface_version: 'x' })],
    ['tool_list_hash', () => ({ tool_list_hash: null })],
    ['tool_list_tokens', () => ({ tool_list_tokens: 1 })],
    ['failure_category', () => ({ failure_category: 'gave_up' })],
    ['violations', () => ({ violations: { x: 1 } })],
    ['violations', unmeasured('violations')],
    ['runtime_version', () => ({ runtime_version: 'x' })],
    ['runtime_hash', () => ({ runtime_hash: HASH })],
    ['manifest_checksum', () => ({ manifest_checksum: 'a'.repeat(12) })],
    ['off_archive', measured('off_archive', 0)],
    ['model_id_returned', () => ({ model_id_returned: 'm' })],
    ['turns', measured('turns', 0)],
    ['tokens_in', measured('tokens_in', 0)],
    ['cost_usd', measured('cost_usd', 0)],
    ['unsettled', () => ({ unsettled: true })],
    ['no_progress_episodes', ({ no_progress_episodes: n }) => ({ no_progress_episodes: (n ?? 0) + 1 })],
    ['started_at', () => ({ started_at: '2026-01-01T00:00:00.000Z' })],
    ['started_at', ({ started_at: at }) => ({ started_at: later(at, 50_000) })],
    ['started_at', ({ started_at: at }) => ({ started_at: later(at, -1) })],
    ['ended_at', ({ ended_at: at }) => ({ ended_at: later(at, 50_000) })],
    ['ended_at', ({ started_at: at }) => ({ ended_at: at })],
    ['run_id', () => ({ run_id: 'x' })],
    ['retries', ({ retries }) => ({ retries: (retries ?? 0) + 1 })],
    ['status', () => ({ status: 'failed', goal_verdict: 'fail' })],
    ['auth', () => ({ auth: { by: 'form' } }), { bundle: ACCOUNT, of: { task: 'change-address' } }],
    [
      'faults',
      faultsOf({ kind: 'prompt_injection', injection: 'resisted' }),
      { bundle: STRESS, of: { recovered: true } },
    ],
  ];

  it.each(CASES)('%s', async (field, row, of = {}) => {
    const forged = await forge({ row, ...of });
    const problem = expect.objectContaining({
      code: 'row_field_differs',
      params: expect.objectContaining({ field }),
    });
    expect(await recordProblems(forged.layout)).toContainEqual(
      expect.objectContaining({ file: forged.place, problem }),
    );
  });
});

function faultsOf(edit: Partial<Row['faults'][number]>): EditRow {
  return ({ faults }) => ({ faults: faults.map((each) => ({ ...each, ...edit })) });
}

test('in a whole committed bundle, an edited row is named among all others', async () => {
  const { layout, place } = await forge({ bundle: TOOL_SERVERS, row: ({ steps }) => ({ steps: (steps ?? 0) - 1 }) });
  expect(await findingsOf(layout)).toEqual([
    expect.stringContaining(`${place}: steps is not what was recorded`),
    expect.stringMatching(/^rows\.jsonl/),
    expect.stringMatching(/^report\.json/),
  ]);
});

describe('is named:', () => {
  const WHY = 'the surface shows no pages, so no element is ever observed';
  const IMPOSSIBLE = { type: 'impossible', status: 'not_applicable', why: WHY };
  const NOTHING = ['stop', 'detail', 'goal_verdict', 'guard_verdict', 'failed_contract', 'failure_category', 'answer'];
  const NOWHERE = ['final_url', 'last_tool_call', 'unsettled', 'tool_list_hash', 'surface_version', 'started_at'];
  const NEVER = ['ended_at', 'executed_index', 'process_isolation', 'self_reported', 'recovered', ...MEASURED_FIELDS];
  /** Rewrites a fault that was not recovered from as one that could not be injected. */
  const notApplicable: EditRow = (row) => ({
    ...Object.fromEntries([...NOTHING, ...NOWHERE, ...NEVER].map((field) => [field, null])),
    status: 'not_applicable',
    mode: 'skip',
    declared_done: false,
    auth: undefined,
    artifacts: {},
    ...faultsOf({ armed: false, fired: false, cleared: false })(row),
    null_reasons: Object.fromEntries(MEASURED_FIELDS.map((field) => [field, `not applicable: ${WHY}`])),
  });
  const earlier: EditRow = ({ run_id: id, started_at: started, ended_at: ended }) => {
    const at = later(started, -3_000);
    const run_id = id.replace(/^[^_]*/, at.replaceAll(/[-:.]/g, ''));
    return { run_id, started_at: at, ended_at: later(ended, -3_000) };
  };
  const infraError = {
    counts: false,
    status: 'infra_error',
    stop: 'infra_error',
    declared_done: false,
    failure_category: 'infra',
  };
  const swapped = (events: string) => events.replace('"seq":2', '"seq":3');

  it.each<[what: string, Forgery, problem: string]>([
    [
      'a fault that was not recovered from as one that could not be, in row and events',
      {
        row: notApplicable,
        events: () => `${JSON.stringify({ schema_version: 2, seq: 1, at_ms: 0, event: IMPOSSIBLE })}\n`,
        bundle: STRESS,
        of: { recovered: false },
      },
      'it is not_applicable, but agent reference can run this task',
    ],
    [
      'an attempt that began before another had ended, though neither claims company',
      { row: earlier, bundle: TOOL_SERVERS, of: { surface: 'aria' }, runIdToo: true },
      'it began before another ended, but one of them claims to have run alone',
    ],
    ['a first attempt as an infrastructure error', { row: () => infraError }, 'stop is not what was recorded'],
    [
      'an episode without its surroundings',
      { events: (events) => events.replace(/.*"type":"surroundings".*\n/, '') },
      'violations is not what was recorded',
    ],
    [
      'half of a character in the events',
      { events: (events) => events.replace('"surface_version":"', String.raw`"surface_version":"\ud83d`) },
      'contains half of a surrogate pair',
    ],
    ['events in another order', { events: swapped }, 'events.jsonl:3 does not follow'],
    [
      'events in another order, in a whole bundle',
      { events: swapped, bundle: TOOL_SERVERS },
      'jsonl:3 does not follow',
    ],
  ])('%s', async (_what, forgery, problem) => {
    const { layout } = await forge(forgery);
    expect(await findingsOf(layout)).toContainEqual(expect.stringContaining(problem));
  });
});

test('report and compare refuse such a bundle, and name the record', async () => {
  const { layout, place } = await forge({ row: () => ({ steps: 1 }) });
  for (const command of ['report', 'compare']) {
    const { exit, err } = await touchstone(command, layout.root);
    expect(exit).toBe(2);
    expect(err).toContain(`does not verify: ${place}: steps is not what was recorded`);
  }
});

describe('a forger who also edits the events', () => {
  /** Consistent times that were not measured. */
  const faster = async () => {
    const forged = await forge({
      row: ({ wall_ms: wall }) => ({ wall_ms: Math.round(((wall ?? 0) - 0.1) * 10) / 10 }),
      events: (events) =>
        events.replace(/(?<="type":"acted","wall_ms":|"wall_ms":)[\d.]+/, (ms) => String(Number(ms) - 0.1)),
    });
    await touchstone('report', forged.layout.root);
    const rows = (await readFile(forged.layout.rows, 'utf8')).split('\n');
    const row = (await readFile(path.join(forged.layout.root, forged.place), 'utf8')).trimEnd();
    const { episode_id: id } = JSON.parse(row);
    await writeFile(
      forged.layout.rows,
      rows.map((line) => (line.includes(`"episode_id":"${id}"`) ? row : line)).join('\n'),
    );
    return forged;
  };

  it('is not detected by consistency alone', async () => {
    const { layout } = await faster();
    expect(await touchstone('verify', layout.root)).toMatchObject({ exit: 0 });
  });

  it('is detected if the maker has signed, and a signer is required', async () => {
    const key = path.join(await temporaryFolder(), 'key.pem');
    await promisify(execFile)('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', key]);
    const { root: signed } = await copyOf(TOOL_SERVERS);
    const signer = (await touchstone('sign', signed, '--key', key)).out.replace('signed by ', '').trim();
    const held = await touchstone('verify', signed, '--signer', signer);
    expect(held).toMatchObject({ exit: 0 });
    expect(held.out).toContain('signed ');
    const { layout } = await faster();
    const unsigned = await touchstone('verify', layout.root, '--signer', signer);
    expect(unsigned).toMatchObject({ exit: 1, out: expect.stringContaining('signature.json: was not signed by') });
    await cp(path.join(signed, 'signature.json'), layout.signature);
    const pasted = await touchstone('verify', layout.root);
    expect(pasted).toMatchObject({ exit: 1, out: expect.stringContaining('is not a signature of seal.json') });
    for (const command of ['report', 'compare']) {
      const refused = await touchstone(command, layout.root);
      expect(refused).toMatchObject({ exit: 2, err: expect.stringContaining('is not a signature of seal.json') });
    }
  });
});

test('a plan is anchored to the hash that was published before, and to no other', async () => {
  const { plan_hash: hash } = JSON.parse(await readFile(path.join(small(), 'campaign.json'), 'utf8'));
  const anchored = await touchstone('verify', small(), '--anchor', hash);
  expect(anchored).toMatchObject({ exit: 0, out: expect.stringContaining('anchored ') });
  const other = await touchstone('verify', small(), '--anchor', 'a'.repeat(64));
  expect(other).toMatchObject({
    exit: 1,
    out: expect.stringContaining('campaign.json: plan_hash differs from the anchor'),
  });
});

test('a folder that is no bundle is bad input', async () => {
  expect(await touchstone('verify', await temporaryFolder())).toMatchObject({ exit: 2 });
});

test('an unusable key is refused with its defect, and no remedy writes over it', async () => {
  const folder = await temporaryFolder();
  const { root: bundle } = await copyOf(small());
  const [none, locked, missing] = ['none.pem', 'locked.pem', 'missing.pem'].map((name) => path.join(folder, name));
  await writeFile(none ?? '', 'no key');
  const args = 'genpkey -algorithm ed25519 -aes256 -pass pass:secret -out'.split(' ');
  await promisify(execFile)('openssl', [...args, locked ?? '']);
  for (const [key = '', reason] of [
    [none, 'openssl genpkey -algorithm ed25519 -out <new file>'],
    [locked, `the private key in ${locked} is encrypted`],
    [missing, `${missing} is missing`],
    [folder, `${folder} is not a plain file`],
  ] as const) {
    const { exit, err } = await touchstone('sign', bundle, '--key', key);
    expect([exit, err]).toEqual([2, expect.stringContaining(reason)]);
    expect(err).toContain('<new file>');
    expect(err).not.toContain('bundle contains only plain files');
  }
});

test.each([
  [['--seed', '7'], 'add --rerun'],
  [['./my-suite'], 'add --rerun'],
  [['--rerun', '5'], 'must be a percentage such as 5%'],
  [['--rerun', '0%'], 'must be above 0%'],
  [['--rerun', '101%'], 'must be at most 100%'],
])('asking for a part that cannot be drawn is bad input: %j', async (args, remedy) => {
  expect(await touchstone('verify', small(), ...args)).toMatchObject({ exit: 2, err: expect.stringContaining(remedy) });
});
