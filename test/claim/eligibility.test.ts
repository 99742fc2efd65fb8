import { describe, expect, it, test } from 'vitest';
import type { Row } from '../../src/bundle/row.ts';
import { drawClaims } from '../../src/claim/claims.ts';
import type { ClaimFacts, Question } from '../../src/claim/claim-facts.ts';
import { decide } from '../../src/claim/eligibility.ts';
import type { FiguredRow } from '../../src/claim/figured-row.ts';
import { AXES, type Axis } from '../../src/claim/policy.ts';
import { CLAIM_RULES, type ReasonCode } from '../../src/claim/reasons.ts';
import { REASONS } from '../../src/messages/reasons.ts';
import { BROKEN, FIRED, INCONCLUSIVE, PASSED, SKIPPED } from '../bundle/sample-row.ts';
import {
  attemptedAgain,
  COMPARISON,
  completionOf,
  eligibleFacts,
  FIRST,
  withRows,
  withTaskFacts,
} from './eligible-facts.ts';

const FACTS = eligibleFacts();
const rows = (edit: Partial<Row>, only?: string) => withRows(FACTS, edit, only);
const codes = (facts: ClaimFacts, question: Question = COMPARISON) =>
  decide(question, facts).reasons.map(({ code }) => code);

const IN_BROWSER = (isolation: 'none' | 'user' | 'bubblewrap') => ({
  browser: {
    name: 'chromium',
    version: '156.0',
    build: 'r1',
    kind: 'full',
    ours: true,
    sandbox: true,
    isolation,
  } as const,
});
const APART = (by: 'none' | 'user' | 'bubblewrap', network: 'gateway' | 'shared' = 'shared') =>
  ({ process_isolation: { by, network } }) as const;
const AT_ONCE = { concurrency: { workers: 2, load_average: 1, cores: 2 } };
const STRANGER = { agent: 'stranger', surface: 'own' };
const FAILED = { status: 'failed', goal_verdict: 'fail' } as const;
const NOT_COUNTED = { script_calls: null, null_reasons: { script_calls: 'nobody counts' } };
const WAIVED = {
  trivial_by: ['null'],
  waivers: [{ mutant: 'success:drop', reason: 'nobody' }],
  perturbed: { judged: 5, passed: 1 },
};
const DOM = { rests_on_dom_alone: true };

function lastIteration(edit: Partial<Row>): ClaimFacts {
  const isLast = ({ iteration }: FiguredRow): boolean => iteration === 9;
  const last = withRows({ ...FACTS, rows: FACTS.rows.filter(isLast) }, edit).rows;
  return { ...FACTS, rows: [...FACTS.rows.filter((row) => !isLast(row)), ...last] };
}

/** Each reason, the facts that cause it, and the resulting grade. Its negative twin are facts that bar nothing. */
const CASES: [ReasonCode, ClaimFacts, Grade][] = [
  ['no_episodes', { ...FACTS, rows: [] }, 'smoke'],
  ['harness_mode', rows({ mode: 'mock', endpoint_kind: 'mock' }), 'scaffold'],
  ['harness_mode', rows({ mode: 'control', decider: 'control' }, 'second'), 'scaffold'],
  ['harness_mode', rows({ mode: 'replay', decider: 'transcript' }), 'scaffold'],
  ['harness_mode', rows({ mode: 'scripted', decider: 'reference' }), 'scaffold'],
  ['harness_mode', rows(SKIPPED, 'second'), 'scaffold'],
  ['stand_in_mode', rows({ mode: 'facsimile', world_kind: 'facsimile' }), 'diagnostic'],
  ['one_sided', { ...FACTS, oneSided: FACTS.rows.slice(0, 11) }, 'diagnostic'],
  ['not_judged', rows(BROKEN, 'second'), 'diagnostic'],
  ['not_judged', rows(INCONCLUSIVE, 'second'), 'diagnostic'],
  ['other_contracts', rows({ task_hash: 'a'.repeat(64) }, 'second'), 'diagnostic'],
  ['other_contracts', rows({ contract_hash: 'a'.repeat(64) }, 'second'), 'diagnostic'],
  ['watched', { ...FACTS, plan: { ...FACTS.plan, watched: true } }, 'diagnostic'],
  ['cells_missing', { ...FACTS, plan: { ...FACTS.plan, episodes_each: 201 } }, 'diagnostic'],
  ['version_unknown', rows({ surface_version: null }, 'first'), 'diagnostic'],
  ['version_unknown', rows({ app_hash: null }), 'diagnostic'],
  ['version_changed', lastIteration({ surface_version: '1.0.1' }), 'diagnostic'],
  ['browser_not_ours', rows({ browser: null }), 'diagnostic'],
  ['model_not_pinned', { ...FACTS, pins: { ...FACTS.pins, models: {} } }, 'diagnostic'],
  ['model_not_pinned', rows({ temperature: 1 }, 'first'), 'diagnostic'],
  ['model_not_pinned', rows({ prompt_hash: 'a'.repeat(64) }), 'diagnostic'],
  ['model_not_pinned', rows({ model_id: 'another' }), 'diagnostic'],
  ['model_not_pinned', rows({ decider: 'process' }), 'diagnostic'],
  ['model_not_read', rows({ model_id_returned: null }), 'diagnostic'],
  ['not_vendor_endpoint', rows({ endpoint_kind: 'custom' }, 'second'), 'diagnostic'],
  ['budget_not_pinned', rows({ caps: { steps: 30, turns: 30, wall_ms: 1, tokens: 9, cost_usd: null } }), 'diagnostic'],
  ['budget_not_pinned', rows({ caps: { steps: 30, turns: 30, wall_ms: 1, tokens: null, cost_usd: 1 } }), 'diagnostic'],
  ['budget_not_pinned', rows({ caps: { steps: 30, turns: null, wall_ms: 1, tokens: 9, cost_usd: 1 } }), 'diagnostic'],
  ['agent_not_kept_apart', rows(APART('none')), 'diagnostic'],
  ['agent_not_kept_apart', rows(APART('user')), 'diagnostic'],
  ['agent_not_kept_apart', rows(APART('bubblewrap')), 'diagnostic'],
  ['agent_not_kept_apart', rows({ decider: 'process', process_isolation: null }), 'diagnostic'],
  ['browser_not_kept_apart', rows(IN_BROWSER('none')), 'diagnostic'],
  ['browser_not_kept_apart', rows(IN_BROWSER('user')), 'diagnostic'],
  ['rival_not_kept_apart', { ...rows(AT_ONCE), reaching: [STRANGER] }, 'diagnostic'],
  ['too_few_repetitions', eligibleFacts({ repetitions: 9 }), 'smoke'],
  ['live_web', rows({ world_kind: 'live_web', qualification_hash: null }), 'diagnostic'],
  ['not_qualified', rows({ qualification_hash: null }), 'diagnostic'],
  ['trivial_task', withTaskFacts(FACTS, { trivial_by: ['teleport'] }), 'diagnostic'],
  ['thin_proof', withTaskFacts(FACTS, { is_thin: true }), 'diagnostic'],
  ['dom_alone_after_script', withTaskFacts(rows({ ...PASSED, script_calls: 1 }), DOM), 'diagnostic'],
  ['dom_alone_after_script', withTaskFacts(rows({ ...PASSED, ...NOT_COUNTED }, 'second'), DOM), 'diagnostic'],
  ['other_qualification', rows({ qualification_hash: 'a'.repeat(64) }, 'second'), 'diagnostic'],
  ['no_clean_commit', { ...FACTS, pins: { ...FACTS.pins, bench_dirty: true } }, 'diagnostic'],
  ['no_clean_commit', { ...FACTS, pins: { ...FACTS.pins, bench_dirty: null } }, 'diagnostic'],
  ['no_clean_commit', { ...FACTS, pins: { ...FACTS.pins, bench_commit: null } }, 'diagnostic'],
  ['uneven_reruns', rows({ attempt: 2, retries: 1 }, 'second'), 'diagnostic'],
  ['many_reruns', attemptedAgain(FACTS, 11), 'diagnostic'],
  ['small_parts', { ...FACTS, plan: { ...FACTS.plan, merged: { parts: 11, iterations: 10 } } }, 'diagnostic'],
  ['not_verified', { ...FACTS, verified: null }, 'diagnostic'],
  ['does_not_verify', { ...FACTS, verified: false }, 'diagnostic'],
];
type Grade = ReturnType<typeof decide>['grade'];

describe('a comparison', () => {
  it('is primary if nothing bars it', () => {
    expect(decide(COMPARISON, FACTS)).toMatchObject({ grade: 'primary', reasons: [], scope: 'tasks like these' });
  });

  it.each(CASES)('with %s is not: case %#', (code, facts, grade) => {
    expect(codes(facts)).toContain(code);
    expect(decide(COMPARISON, facts).grade).toBe(grade);
  });

  it.each([
    [{ turns: 30, tokens: null, cost_usd: 1 }, ['tokens']],
    [{ turns: null, tokens: null, cost_usd: null }, ['turns', 'tokens', 'cost']],
  ])('names what has no cap in %j', (limits, caps) => {
    const [reason] = decide(COMPARISON, rows({ caps: { steps: 30, wall_ms: 1, ...limits } })).reasons;
    expect(reason).toEqual({ code: 'budget_not_pinned', params: { all: true, count: 400, of: 400, caps } });
  });

  it.each([
    ['a vendor’s model without a price', { turns: 30 }, 'provider', null, []],
    ['one without turns either', { turns: null }, 'provider', null, ['turns']],
    ['a model with a price', { turns: 30 }, 'provider', 'ours-2026-01-01', ['cost']],
    ['a model elsewhere', { turns: 30 }, 'custom', null, ['cost']],
  ] as const)('asks for the caps that there can be: %s', (_, { turns }, endpoint_kind, price_table, expected) => {
    const unknown = { cost_usd: 'no price', ...(price_table === null ? { price_table: 'no price' } : {}) };
    const caps = { steps: 30, wall_ms: 1, tokens: 1, turns, cost_usd: null };
    const facts = rows({ endpoint_kind, price_table, caps, cost_usd: null, null_reasons: unknown });
    const reasons = decide(COMPARISON, facts).reasons.filter(({ code }) => code === 'budget_not_pinned');
    expect(reasons.flatMap(({ params }) => params['caps'])).toEqual(expected);
  });

  it('is primary with as many parts as repetitions, or fewer', () => {
    const facts = { ...FACTS, plan: { ...FACTS.plan, merged: { parts: 10, iterations: 10 } } };
    expect(decide(COMPARISON, facts)).toMatchObject({ grade: 'primary', reasons: [] });
  });

  it('is primary if two ran one after the other, or at once with no access to each other', () => {
    expect(codes({ ...FACTS, reaching: [STRANGER] })).toEqual([]);
    expect(codes(rows(AT_ONCE))).toEqual([]);
  });

  it('is not primary for one entrant, even with itself', () => {
    for (const entrants of [[FIRST], [FIRST, FIRST]]) {
      expect(codes(FACTS, { ...COMPARISON, entrants })).toEqual(['too_few_entrants']);
    }
  });

  it('on fewer than 20 templates is about these tasks only, and still primary', () => {
    const decision = decide(COMPARISON, eligibleFacts({ templates: 19 }));
    expect(decision).toMatchObject({ grade: 'primary', scope: 'these tasks only' });
  });

  it('is allowed for two whose browsers ran in a sandbox', () => {
    expect(codes(rows(IN_BROWSER('bubblewrap')))).toEqual([]);
  });

  it('is allowed for two with similarly few repeated attempts', () => {
    expect(codes(attemptedAgain(FACTS, 10))).toEqual([]);
  });

  it('is not allowed for two that were killed as often when losing, and resumed', () => {
    expect(decide(COMPARISON, attemptedAgain(FACTS, 11)).reasons).toEqual([
      { code: 'many_reruns', params: { most: 5, shares: ['first/aria: 11 of 200', 'second/aria: 11 of 200'] } },
    ]);
  });

  it('lists all that bars it, each with the values found', () => {
    const facts = { ...rows({ qualification_hash: null, endpoint_kind: 'custom' }, 'second'), verified: null };
    expect(decide(COMPARISON, facts).reasons).toEqual([
      { code: 'not_vendor_endpoint', params: { all: false, count: 200, of: 400 } },
      { code: 'not_qualified', params: { all: false, count: 200, of: 400 } },
      { code: 'other_qualification', params: { tasks: expect.arrayContaining(['basics/task-0']) } },
      { code: 'not_verified', params: {} },
    ]);
  });
});

it('reasons, waivers and counts of tasks leave out what never ran', () => {
  const absent = rows({ ...SKIPPED, qualification_hash: null }, 'second').rows.filter(
    ({ agent }) => agent === 'second',
  );
  const others = absent.map((row) => ({ ...row, task: `other-${row.task}` }));
  const facts = withTaskFacts({ ...FACTS, rows: [...FACTS.rows.slice(0, 200), ...others] }, WAIVED);
  const tasks = new Map([...facts.tasks].filter(([cell]) => cell.includes('other-')));
  const decision = decide(
    { kind: 'aggregate', axis: 'task_completion', entrants: COMPARISON.entrants },
    { ...facts, tasks },
  );
  expect(decision).toMatchObject({ waivers: [], false_passes: { judged: 0 } });
  const given = new Set(decision.reasons.map(({ code }) => code));
  expect([given.has('not_qualified'), given.has('trivial_task')]).toEqual([false, false]);
  const few = eligibleFacts({ templates: 10 });
  const more = { ...few, rows: [...few.rows, ...others] };
  expect(decide(COMPARISON, more).scope).toBe('these tasks only');
});

describe('a condition that must not change', () => {
  const HASH = 'a'.repeat(64);

  it.each<[string, Partial<Row>]>([
    ['surface_version', { surface_version: '1.0.1' }],
    ['model_id_returned', { model_id_returned: 'model-1-20260301' }],
    ['runtime_version', { runtime_version: '2.3.0' }],
    ['runtime_hash', { runtime_hash: HASH }],
    ['tool_list_hash', { tool_list_hash: HASH }],
  ])('%s: if it changed, no claim is primary, and the values are given', (field, edit) => {
    const { claims, eligible } = drawClaims(completionOf(lastIteration(edit)), 1);
    expect(eligible).toEqual([]);
    const [reasons] = claims.entrants.map(({ aggregate }) => aggregate.reasons);
    expect(reasons?.map(({ code }) => code)).toEqual(['version_changed']);
    const changes = String(reasons?.[0]?.params['changes']);
    for (const value of [field, ...Object.values(edit)]) expect(changes).toContain(value);
  });

  it('is not reported as changed if all is the same, or an episode does not know it', () => {
    const unread = { model_id_returned: null, runtime_version: null, runtime_hash: null, tool_list_hash: null };
    expect(codes(FACTS)).toEqual([]);
    expect(codes(lastIteration({ ...unread, decider: 'process' }))).not.toContain('version_changed');
    // For a surface that was never open a row has the pins.
    expect(codes(lastIteration({ surface_version: '@vendor/server 1.0.1', tool_list_hash: null }))).toEqual([]);
  });

  it('may be another list of tools in another task, but not in another repetition', () => {
    const ofTask = (task: string, edit: Partial<Row>) => ({
      ...FACTS,
      rows: FACTS.rows.flatMap((row) => (row.task === task ? withRows({ ...FACTS, rows: [row] }, edit).rows : [row])),
    });
    expect(codes(ofTask('task-3', { tool_list_hash: HASH }))).toEqual([]);
    expect(codes(ofTask('task-3', { surface_version: '1.0.1' }))).toEqual(['version_changed']);
  });

  it('is shared by two entrants that ask the same model', () => {
    const alike = withRows(FACTS, { agent: 'first', surface: 'dom' }, 'second');
    const other = alike.rows.flatMap((row) =>
      row.surface === 'dom' ? withRows({ ...FACTS, rows: [row] }, { model_id_returned: 'model-2' }).rows : [row],
    );
    const question = { ...COMPARISON, entrants: [FIRST, { agent: 'first', surface: 'dom' }] };
    expect(codes(alike, question)).toEqual([]);
    expect(codes({ ...alike, rows: other }, question)).toEqual(['version_changed']);
  });
});

describe('a pass that rests on the page alone', () => {
  it('counts if no script of the entrant has run', () => {
    expect(codes(withTaskFacts(rows({ ...PASSED, script_calls: 0 }), DOM))).toEqual([]);
  });

  it('is no pass if the contract rests on more, and no failure either', () => {
    expect(codes(withTaskFacts(rows({ ...PASSED, script_calls: 1 }), { rests_on_dom_alone: false }))).toEqual([]);
    expect(codes(withTaskFacts(rows({ script_calls: 1 }), DOM))).toEqual([]);
  });
});

describe('the duration of passes', () => {
  const question: Question = { kind: 'aggregate', axis: 'time_per_success', entrants: [FIRST] };

  it('is primary if episodes ran one after the other', () => {
    expect(decide(question, FACTS)).toMatchObject({ grade: 'primary', reasons: [] });
  });

  it('is not if other episodes ran at the same time, which bars nothing else', () => {
    const { grade, reasons } = decide(question, rows(AT_ONCE, 'first'));
    expect(grade).toBe('diagnostic');
    expect(reasons).toEqual([{ code: 'ran_at_once', params: { cause: 'workers' } }]);
    expect(codes(rows(AT_ONCE))).toEqual([]);
  });

  it('is not if parts were merged, which may come from several machines', () => {
    const facts = { ...FACTS, plan: { ...FACTS.plan, merged: { parts: 2, iterations: 10 } } };
    expect(codes(facts, question)).toEqual(['ran_at_once']);
    expect(codes({ ...FACTS, plan: { ...FACTS.plan, merged: { parts: 1, iterations: 10 } } }, question)).toEqual([]);
  });
});

describe('a waiver', () => {
  const waiver = { mutant: 'success:drop', reason: 'the app has no other' };

  it('does not bar a claim, and is listed with it', () => {
    const { grade, waivers } = decide(
      COMPARISON,
      withTaskFacts(eligibleFacts({ templates: 1 }), { waivers: [waiver] }),
    );
    expect({ grade, waivers }).toEqual({ grade: 'primary', waivers: [{ task: 'basics/task-0/default', ...waiver }] });
  });
});

describe('false passes', () => {
  it('are given with a claim, over the proofs of all tasks that it rests on', () => {
    const proved = withTaskFacts(eligibleFacts({ templates: 2 }), { perturbed: { judged: 18, passed: 0 } });
    // 1.96² / (36 + 1.96²)
    const upper = expect.closeTo(0.0964, 4);
    expect(decide(COMPARISON, proved).false_passes).toEqual({ judged: 36, passed: 0, upper });
    expect(decide(COMPARISON, FACTS).false_passes).toEqual({ judged: 0, passed: 0, upper: null });
  });

  it('are given with the tasks whose contracts let them pass', () => {
    const proved = withTaskFacts(eligibleFacts({ templates: 1 }), { perturbed: { judged: 18, passed: 2 } });
    expect(decide(COMPARISON, proved).false_passes.passed_in).toEqual(['basics/task-0/default']);
  });
});

describe.each(['aggregate', 'per_task'] as const)('a claim of one entrant, %s,', (kind) => {
  const question: Question = { kind, axis: 'task_completion', entrants: [FIRST] };
  const facts = eligibleFacts({ repetitions: 20 });

  it('is barred if too many of its own episodes were attempted again', () => {
    expect(codes(attemptedAgain(facts, 21), question)).toEqual(['many_reruns']);
  });

  it('is not barred if few were, or those of another entrant', () => {
    expect(codes(attemptedAgain(facts, 20), question)).toEqual([]);
    expect(codes(withRows(facts, { attempt: 2, retries: 1 }, 'second'), question)).toEqual([]);
  });

  it('is not barred for failures of a provider, however many', () => {
    expect(codes(withRows(facts, { attempt: 3, retries: 0 }), question)).toEqual([]);
  });
});

describe('a claim about each task', () => {
  const question: Question = { kind: 'per_task', axis: 'task_completion', entrants: [FIRST] };

  it('needs 20 repetitions; one about all tasks needs 10', () => {
    expect(codes(eligibleFacts({ templates: 1, repetitions: 19 }), question)).toEqual(['too_few_repetitions']);
    expect(codes(eligibleFacts({ templates: 1, repetitions: 20 }), question)).toEqual([]);
    expect(codes(eligibleFacts({ templates: 1, repetitions: 10 }), { ...question, kind: 'aggregate' })).toEqual([]);
  });

  it('needs more if the suite asks for more, and never less', () => {
    const asked = (least: number) => withTaskFacts(eligibleFacts({ repetitions: 10 }), { least_repetitions: least });
    expect(codes(asked(11))).toEqual(['too_few_repetitions']);
    expect(codes(asked(10))).toEqual([]);
    expect(codes(withTaskFacts(eligibleFacts({ repetitions: 9 }), { least_repetitions: 1 }))).toEqual([
      'too_few_repetitions',
    ]);
  });

  it('does not depend on what other entrants lack', () => {
    const facts = withRows(eligibleFacts({ templates: 1, repetitions: 20 }), { qualification_hash: null }, 'second');
    expect(codes(facts, question)).toEqual([]);
  });
});

describe('the axes of the seed', () => {
  it.each(Object.keys(AXES).filter((axis): axis is Axis => axis in AXES))('%s', (axis) => {
    const ofRole = AXES[axis].role === 'diagnostic' ? ['diagnostic_axis'] : [];
    const lacking: Partial<Record<Axis, ReasonCode[]>> = { fault_recovery: ['no_fault'], authentication: ['no_login'] };
    expect(codes(FACTS, { ...COMPARISON, axis })).toEqual(lacking[axis] ?? ofRole);
  });

  it('recovery is primary when faults fired within the tasks', () => {
    expect(codes(rows({ faults: [FIRED], recovered: false }), { ...COMPARISON, axis: 'fault_recovery' })).toEqual([]);
  });
});

describe('authentication', () => {
  const question = { ...COMPARISON, axis: 'authentication' } as const;

  it('is primary only inside completed tasks behind a login', () => {
    const auth = { by: 'form' } as const;
    expect(codes(rows({ ...PASSED, auth }), question)).toEqual([]);
    expect(codes(rows({ ...FAILED, auth }), question)).toEqual(['no_login']);
    expect(codes(rows(PASSED), question)).toEqual(['no_login']);
  });

  it('is diagnostic if it is the cost of making a stored state', () => {
    const auth = { by: 'stored_state', role: 'ada', setup_ms: 900 } as const;
    expect(decide({ ...COMPARISON, axis: 'sign_in_setup' }, rows({ ...PASSED, auth })).grade).toBe('diagnostic');
  });
});

test('every reason has a case here', () => {
  const others: ReasonCode[] = ['diagnostic_axis', 'no_fault', 'no_login', 'ran_at_once', 'too_few_entrants'];
  const cases = new Set<string>([...CASES.map(([code]) => code), ...others]);
  expect(Object.keys(REASONS).filter((code) => !cases.has(code))).toEqual([]);
  expect(CLAIM_RULES.map(({ code }) => code).toSorted()).toEqual(Object.keys(REASONS).toSorted());
});

it('the reason for a trivial task names the control that passed in its proof', () => {
  const { reasons } = decide(COMPARISON, withTaskFacts(eligibleFacts({ templates: 1 }), { trivial_by: ['teleport'] }));
  expect(reasons).toContainEqual({ code: 'trivial_task', params: { tasks: ['basics/task-0 (teleport)'] } });
});
