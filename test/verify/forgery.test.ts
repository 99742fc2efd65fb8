import { cp, readFile, writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { MEASURED_FIELDS, type Row } from '../../src/bundle/row.ts';
import { touchstone } from '../cli/touchstone.ts';
import { committedBundle } from '../committed-bundle.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { forge as forgeAny, type Forged, TOOL_SERVERS } from './forge.ts';
import { smallBundle } from './small-bundle.ts';

const small = smallBundle({
  source: TOOL_SERVERS,
  tasks: ['dialog-delete'],
  surfaces: ['playwright-mcp', 'playwright', 'aria'],
});

/** Forges the small bundle, where no other is named. */
async function forge(
  editRow: Parameters<typeof forgeAny>[0],
  editEvents?: Parameters<typeof forgeAny>[1],
  of: Parameters<typeof forgeAny>[2] = { surface: 'playwright-mcp' },
): Promise<Forged> {
  return await forgeAny(editRow, editEvents, { bundle: small(), ...of });
}

/** The field as if it had not been measured. */
function unmeasured(field: (typeof MEASURED_FIELDS)[number]): (row: Row) => Partial<Row> {
  return ({ null_reasons: reasons }) => ({
    [field]: null,
    null_reasons: { ...reasons, [field]: 'it was not measured' },
  });
}

/** The field as if it had been measured. */
function measured(field: (typeof MEASURED_FIELDS)[number], value: number): (row: Row) => Partial<Row> {
  return ({ null_reasons: { [field]: _why, ...others } }) => ({ [field]: value, null_reasons: others });
}

function later(at: string | null, ms: number): string {
  return new Date(Date.parse(at ?? '') + ms).toISOString();
}

async function findings({ layout }: Forged) {
  const { exit, out } = await touchstone('verify', layout.root, '--json');
  expect(exit).toBe(1);
  return JSON.parse(out).findings.map(({ file, problem }: { file: string; problem: string }) => `${file}: ${problem}`);
}

describe('a row that was edited, with all hashes made anew, is named with its field:', () => {
  const CASES: [string, (row: Row) => Partial<Row>, string][] = [
    ['fewer steps', ({ steps }) => ({ steps: (steps ?? 0) - 1 }), 'steps is not what was recorded'],
    ['fewer errors', ({ tool_errors: n }) => ({ tool_errors: (n ?? 0) + 1 }), 'tool_errors is not what'],
    ['a phantom', () => ({ hallucination: 'filtered' }), 'hallucination is not what was recorded'],
    ['fewer bytes', () => ({ response_bytes: 1 }), 'response_bytes is not what was recorded'],
    ['faster calls', () => ({ tool_ms: 1 }), 'tool_ms is not what was recorded'],
    ['faster than it was', ({ wall_ms: ms }) => ({ wall_ms: (ms ?? 0) - 0.1 }), 'wall_ms is not what was recorded'],
    ['fewer commands', () => ({ cdp_commands: 1 }), 'cdp_commands is not what was recorded'],
    ['no script', ({ script_calls: n }) => ({ script_calls: (n ?? 0) + 1 }), 'script_calls is not what was recorded'],
    ['no time in calls', unmeasured('tool_ms'), 'tool_ms is not what was recorded'],
    ['no steps', unmeasured('steps'), 'steps is not what was recorded'],
    ['no errors', unmeasured('tool_errors'), 'tool_errors is not what was recorded'],
    ['no time', unmeasured('wall_ms'), 'wall_ms is not what was recorded'],
    ['no commands', unmeasured('cdp_commands'), 'cdp_commands is not what was recorded'],
    [
      'a process that was not kept apart',
      () => ({ process_isolation: null }),
      'process_isolation is not what was recorded',
    ],
    ['no last call', () => ({ last_tool_call: null }), 'last_tool_call is not what'],
    ['another last call', () => ({ last_tool_call: { tool: 'x', args: {} } }), 'last_tool_call is not what'],
    [
      'another address at the end',
      () => ({ final_url: 'http://basics.localhost/won' }),
      'final_url is not what was recorded',
    ],
    ['another time', () => ({ started_at: '2026-01-01T00:00:00.000Z' }), 'started_at is not what was recorded'],
    ['a clean commit', () => ({ bench_commit: 'abcdef' }), 'bench_commit is not what was recorded'],
    ['another judge', () => ({ judge_version: '9' }), 'judge_version is not what was recorded'],
    ['another browser', () => ({ browser: null }), 'browser is not what was recorded'],
    ['a model where none was', () => ({ model_id: 'm' }), 'model_id is not what was recorded'],
    [
      'other limits',
      ({ timeouts }) => ({ timeouts: { ...timeouts, settle_ms: 1 } }),
      'timeouts is not what was recorded',
    ],
    ['another app', () => ({ app_hash: 'a'.repeat(64) }), 'app_hash is not what was recorded'],
    ['another world', () => ({ world_kind: 'real_app' }), 'world_kind is not what was recorded'],
    ['a run that was only planned', () => ({ mode: 'dry-run' }), 'mode is not what was recorded'],
    ['a context that was shared', () => ({ isolation: 'context' }), 'isolation is not what was recorded'],
    ['a plan made at once', () => ({ interaction: 'one-shot' }), 'interaction is not what was recorded'],
    ['calls of any length', ({ timeouts }) => ({ timeouts: { ...timeouts, call_ms: 1 } }), 'timeouts is not what'],
    ['another version of the tool', () => ({ surface_version: 'x' }), 'surface_version is not what was recorded'],
    ['no list of tools', () => ({ tool_list_hash: null }), 'tool_list_hash is not what was recorded'],
    ['a shorter list of tools', () => ({ tool_list_tokens: 1 }), 'tool_list_tokens is not what was recorded'],
    ['another reason', () => ({ failure_category: 'gave_up' }), 'failure_category is not what was recorded'],
    ['more violations', () => ({ violations: { x: 1 } }), 'violations is not what was recorded'],
    ['violations that nobody counted', unmeasured('violations'), 'violations is not what was recorded'],
    ['a runtime', () => ({ runtime_version: 'x' }), 'runtime_version is not what was recorded'],
    ['a hash of one', () => ({ runtime_hash: 'a'.repeat(64) }), 'runtime_hash is not what was recorded'],
    ['a manifest', () => ({ manifest_checksum: 'a'.repeat(12) }), 'manifest_checksum is not what was recorded'],
    ['an archive that had all', measured('off_archive', 0), 'off_archive is not what was recorded'],
    ['a model that answered', () => ({ model_id_returned: 'm' }), 'model_id_returned is not what was recorded'],
    ['turns of no model', measured('turns', 0), 'turns is not what was recorded'],
    ['tokens of no model', measured('tokens_in', 0), 'tokens_in is not what was recorded'],
    ['the cost of no model', measured('cost_usd', 0), 'cost_usd is not what was recorded'],
    ['a page that was not at rest', () => ({ unsettled: true }), 'unsettled is not what was recorded'],
    [
      'a longer way',
      ({ no_progress_episodes: n }) => ({ no_progress_episodes: (n ?? 0) + 1 }),
      'no_progress_episodes is',
    ],
    [
      'a later start',
      ({ started_at: at }) => ({ started_at: later(at, 50_000) }),
      'started_at is not what was recorded',
    ],
    [
      'an earlier start',
      ({ started_at: at }) => ({ started_at: later(at, -1) }),
      'started_at is not what was recorded',
    ],
    ['a later end', ({ ended_at: at }) => ({ ended_at: later(at, 50_000) }), 'ended_at is not what was recorded'],
    ['an end before the last event', ({ started_at: at }) => ({ ended_at: at }), 'ended_at is not what was recorded'],
    ['another run', () => ({ run_id: 'x' }), 'run_id is not what was recorded'],
    ['a first attempt', ({ retries }) => ({ retries: (retries ?? 0) + 1 }), 'retries is not what was recorded'],
    ['another verdict', () => ({ status: 'failed', goal_verdict: 'fail' }), 'status is not what was recorded'],
  ];

  it.each(CASES)('%s', async (_, edit, problem) => {
    const forged = await forge(edit);
    expect(await findings(forged)).toContainEqual(expect.stringContaining(`${forged.place}: ${problem}`));
  });
});

test('in a committed bundle, whole, an edited row is named among those of all others', async () => {
  const { layout, place } = await forgeAny(({ steps }) => ({ steps: (steps ?? 0) - 1 }));
  expect(await findings({ layout, place })).toEqual([
    expect.stringContaining(`${place}: steps is not what was recorded`),
    expect.stringMatching(/^rows\.jsonl/),
    expect.stringMatching(/^report\.json/),
  ]);
});

test('a row of a surface that does not say what its calls aim at has no word of phantoms', async () => {
  const forged = await forge(
    ({ null_reasons: { hallucination: _why, ...others } }) => ({ hallucination: 'none', null_reasons: others }),
    (events) => events,
    { surface: 'playwright' },
  );
  expect(await findings(forged)).toContainEqual(
    expect.stringContaining(`${forged.place}: hallucination is not what was recorded`),
  );
});

test('a row of a surface of ours counts the shortcuts that its events tell of', async () => {
  const forged = await forge(
    () => ({ shortcut_calls: 1 }),
    (events) => events,
    { surface: 'aria' },
  );
  expect(await findings(forged)).toContainEqual(
    expect.stringContaining(`${forged.place}: shortcut_calls is not what was recorded`),
  );
});

test('a row says how its task was signed in, as the plan has it', async () => {
  const account = await committedBundle('account');
  const forged = await forge(
    () => ({ auth: { by: 'form' } }),
    (events) => events,
    { bundle: account, task: 'change-address' },
  );
  expect(await findings(forged)).toContainEqual(expect.stringContaining('auth is not what was recorded'));
  expect(await touchstone('verify', account)).toMatchObject({ exit: 0 });
});

describe('of an episode under stress', () => {
  let STRESS = '';
  beforeAll(async () => {
    STRESS = await committedBundle('stress');
  });
  const same = (events: string) => events;

  it('a fault of another kind than the plan has is named', async () => {
    const resisted = { kind: 'prompt_injection', injection: 'resisted' } as const;
    const forged = await forge(({ faults }) => ({ faults: faults.map((each) => ({ ...each, ...resisted })) }), same, {
      bundle: STRESS,
      recovered: true,
    });
    expect(await findings(forged)).toContainEqual(expect.stringContaining('faults is not what was recorded'));
  });

  it('one that was not recovered from cannot become one that could not be, not even in its events', async () => {
    const why = 'the surface shows no pages, so no element is ever observed';
    const impossible = { type: 'impossible', status: 'not_applicable', why };
    const forged = await forge(
      ({ faults }) => ({
        ...Object.fromEntries(MEASURED_FIELDS.map((field) => [field, null])),
        status: 'not_applicable',
        mode: 'skip',
        stop: null,
        detail: null,
        goal_verdict: null,
        guard_verdict: null,
        failed_contract: null,
        failure_category: null,
        declared_done: false,
        answer: null,
        final_url: null,
        last_tool_call: null,
        unsettled: null,
        tool_list_hash: null,
        surface_version: null,
        auth: undefined,
        started_at: null,
        ended_at: null,
        executed_index: null,
        process_isolation: null,
        self_reported: null,
        artifacts: {},
        recovered: null,
        faults: faults.map((each) => ({ ...each, armed: false, fired: false, cleared: false })),
        null_reasons: Object.fromEntries(MEASURED_FIELDS.map((field) => [field, `not applicable: ${why}`])),
      }),
      () => `${JSON.stringify({ schema_version: 2, seq: 1, at_ms: 0, event: impossible })}\n`,
      { bundle: STRESS, recovered: false },
    );
    const found = await findings(forged);
    expect(found).toContainEqual(
      expect.stringContaining('it is not_applicable, but agent reference can run this task'),
    );
  });
});

test('an attempt that began before another had ended, though neither says that it ran beside one, is named', async () => {
  const earlier = ({ run_id: id, started_at: started, ended_at: ended }: Row) => {
    const at = later(started, -3_000);
    return {
      run_id: id.replace(/^[^_]*/, at.replaceAll(/[-:.]/g, '')),
      started_at: at,
      ended_at: later(ended, -3_000),
    };
  };
  const of = { surface: 'aria', runIdToo: true };
  const forged = await forgeAny(earlier, undefined, of);
  expect(await findings(forged)).toContainEqual(
    `${forged.place}: it began before another ended, but one of them claims to have run alone`,
  );
});

test('a first attempt rewritten as an infrastructure error that does not count is named', async () => {
  const forged = await forge(() => ({
    counts: false,
    status: 'infra_error',
    stop: 'infra_error',
    declared_done: false,
    failure_category: 'infra',
  }));
  expect(await findings(forged)).toContainEqual(
    expect.stringContaining(`${forged.place}: stop is not what was recorded`),
  );
});

test('an episode that was begun, and does not say in its events what lay around it, is named', async () => {
  const forged = await forge(
    () => ({}),
    (events) => events.replace(/.*"type":"surroundings".*\n/, ''),
  );
  expect(await findings(forged)).toContainEqual(
    expect.stringContaining(`${forged.place}: violations is not what was recorded`),
  );
});

test('half of a character in the events is named, and keeps nothing else from being looked at', async () => {
  const forged = await forge(
    () => ({}),
    (events) => events.replace('"surface_version":"', String.raw`"surface_version":"\ud83d`),
  );
  expect(await findings(forged)).toContainEqual(expect.stringMatching(/events\.jsonl:\d+ holds half of a character/));
});

test.each([
  ['of a few episodes', small],
  ['as it is committed', () => TOOL_SERVERS],
])('events in another order than they came are named, in a bundle %s', async (_which, bundle) => {
  const forged = await forge(
    () => ({}),
    (events) => events.replace('"seq":2', '"seq":3'),
    { bundle: bundle(), surface: 'playwright-mcp' },
  );
  expect(await findings(forged)).toContainEqual(expect.stringContaining('events.jsonl:3 does not follow'));
});

test('report and compare refuse such a bundle, and say which record is off', async () => {
  const { layout, place } = await forge(() => ({ steps: 1 }));
  for (const command of ['report', 'compare']) {
    const { exit, err } = await touchstone(command, layout.root);
    expect(exit).toBe(2);
    expect(err).toContain(`does not verify: ${place}: steps is not what was recorded`);
  }
});

describe('a forger who also edits the events', () => {
  /** Times that fit together, and are not what was measured. */
  const faster = async () => {
    const forged = await forge(
      ({ wall_ms: wall }) => ({ wall_ms: Math.round(((wall ?? 0) - 0.1) * 10) / 10 }),
      (events) => events.replace(/(?<="type":"acted","wall_ms":|"wall_ms":)[\d.]+/, (ms) => String(Number(ms) - 0.1)),
    );
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

  it('is not found out by what is consistent alone', async () => {
    const { layout } = await faster();
    expect(await touchstone('verify', layout.root)).toMatchObject({ exit: 0 });
  });

  it('is found out where the maker has signed, and where a signer is asked for', async () => {
    const folder = await temporaryFolder();
    const key = path.join(folder, 'key.pem');
    await promisify(execFile)('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', key]);
    const signed = path.join(folder, 'bundle');
    await cp(TOOL_SERVERS, signed, { recursive: true });
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

test('what is no bundle at all is bad input, and so is a key that is none', async () => {
  expect(await touchstone('verify', await temporaryFolder())).toMatchObject({ exit: 2 });
  const folder = await temporaryFolder();
  await cp(small(), path.join(folder, 'bundle'), { recursive: true });
  await writeFile(path.join(folder, 'key.pem'), 'no key');
  const { exit, err } = await touchstone('sign', path.join(folder, 'bundle'), '--key', path.join(folder, 'key.pem'));
  expect(exit).toBe(2);
  expect(err).toContain('openssl genpkey -algorithm ed25519 -out <new file>');
});

test('a key that cannot be used is told by what is wrong with it, and no remedy writes over it', async () => {
  const folder = await temporaryFolder();
  const bundle = path.join(folder, 'bundle');
  await cp(small(), bundle, { recursive: true });
  const [locked, missing] = [path.join(folder, 'locked.pem'), path.join(folder, 'missing.pem')];
  const args = 'genpkey -algorithm ed25519 -aes256 -pass pass:secret -out'.split(' ');
  await promisify(execFile)('openssl', [...args, locked]);
  for (const [key, said] of [
    [locked, `the private key in ${locked} is encrypted`],
    [missing, `${missing} is missing`],
    [folder, `${folder} is not a plain file`],
  ] as const) {
    const { exit, err } = await touchstone('sign', bundle, '--key', key);
    expect([exit, err]).toEqual([2, expect.stringContaining(said)]);
    expect(err).toContain('<new file>');
    expect(err).not.toContain('bundle holds plain files');
  }
});

test.each([
  [['--seed', '7'], 'add --rerun'],
  [['./my-suite'], 'add --rerun'],
  [['--rerun', '5'], 'must be a percentage such as 5%'],
  [['--rerun', '0%'], 'must be above 0%'],
  [['--rerun', '101%'], 'must be at most 100%'],
])('to ask for a part that cannot be drawn is bad input: %j', async (args, remedy) => {
  expect(await touchstone('verify', small(), ...args)).toMatchObject({ exit: 2, err: expect.stringContaining(remedy) });
});
