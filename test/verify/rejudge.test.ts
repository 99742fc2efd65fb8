import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import type { Row } from '../../src/bundle/row.ts';
import { CampaignFile } from '../../src/plan/campaign-file.ts';
import { present } from '../../src/contract/evidence.ts';
import { Task } from '../../src/task/schema.ts';
import type { EpisodeEvent } from '../../src/episode/events.ts';
import { SAMPLE } from '../bundle/sample-row.ts';
import { PASSED, SENT, START, TASK } from './sample-attempt.ts';
import { rejudged, type StagedAttempt } from './staged-bundle.ts';

const DAMAGED = { ...SENT, app_state: present({ start: { messages: 0, users: 1 }, now: { messages: 1 } }) };
const START_DAMAGED = { ...START, app_state: DAMAGED.app_state };
const because = (code: string, params: object = {}): unknown =>
  expect.arrayContaining([expect.objectContaining({ code, params: expect.objectContaining(params) })]);
const otherField = (field: string): unknown => because('row_field_differs', { field });

const UNREADABLE = { ...SENT, app_state: { captured: false as const, why: 'the app did not answer' } };

const FAILED = {
  status: 'failed',
  stop: 'done',
  goal_verdict: 'fail',
  guard_verdict: 'pass',
  failed_contract: { path: 'success.children.0', kind: 'url', expected: '', observed: null },
} as const;
/** A task that is done already is at fault for all of its success, so that is what the row names. */
const INVALID = {
  ...PASSED,
  status: 'invalid_task',
  stop: 'invalid_task',
  failed_contract: { path: 'success', kind: 'and', expected: '', observed: null },
} as const;
const BROKEN = { status: 'infra_error', stop: 'infra_error' } as const;
const NOTHING = { goal_verdict: null, guard_verdict: null, failed_contract: null } as const;

type Staging = Parameters<typeof rejudged>[1];

async function one(attempt: Omit<StagedAttempt, 'task'> & { task?: Task }, staging?: Staging) {
  const [judged, ...others] = await rejudged({ task: TASK, ...attempt }, staging);
  expect(others).toEqual([]);
  return judged;
}

describe('a row that follows from its evidence agrees', () => {
  const CASES: Record<string, Omit<StagedAttempt, 'task'>> = {
    passed: { start: START, end: SENT, row: PASSED },
    failed: { start: START, end: START, row: FAILED },
    'damaged something': {
      start: START,
      end: DAMAGED,
      row: {
        ...FAILED,
        goal_verdict: 'pass',
        guard_verdict: 'fail',
        failed_contract: { path: 'guards', kind: 'unchanged', expected: '', observed: null },
      },
    },
    inconclusive: {
      start: START,
      end: UNREADABLE,
      row: {
        ...FAILED,
        status: 'inconclusive',
        goal_verdict: 'pass',
        guard_verdict: 'inconclusive',
        failed_contract: { path: 'guards', kind: 'unchanged', expected: '', observed: null },
      },
    },
    'stopped by a cap with all of it done': {
      start: START,
      end: SENT,
      row: { ...PASSED, status: 'timeout', stop: 'timeout' },
    },
    'a task that was done at the start': { start: SENT, row: INVALID },
    'a task that was damaged at the start': {
      start: START_DAMAGED,
      row: {
        ...INVALID,
        goal_verdict: 'fail',
        guard_verdict: 'fail',
        failed_contract: { path: 'guards', kind: 'unchanged', expected: '', observed: null },
      },
    },
    'a cell that cannot be run': { row: { ...NOTHING, status: 'not_applicable', stop: null, mode: 'skip' } },
  };

  it.each(Object.entries(CASES))('%s', async (_, attempt) => {
    expect(await one(attempt)).toMatchObject({ agrees: true, rejudged: { status: attempt.row.status } });
  });

  it('and explains why the deciding assertion decided', async () => {
    expect(await one({ start: START, end: START, row: FAILED })).toMatchObject({
      recorded: { status: 'failed', goal: 'fail', guard: 'pass', failed: { path: 'success.children.0', kind: 'url' } },
      why: because('url_compared', { matches: false }),
    });
    expect(await one({ start: START, end: SENT, row: PASSED })).toMatchObject({ why: [] });
  });

  it.each<[string, Omit<StagedAttempt, 'task'>]>([
    ['after the start', { start: START, row: { ...FAILED, ...BROKEN } }],
    ['before the start', { row: { ...NOTHING, ...BROKEN } }],
  ])('a third breakdown, %s', async (_, attempt) => {
    expect(await one(attempt, { brokenBefore: 2 })).toMatchObject({ agrees: true });
  });

  it('only rows that count are judged', async () => {
    const row = { ...FAILED, ...BROKEN, counts: false };
    expect(await one({ start: START, end: SENT, row })).toMatchObject({ attempt: null, recorded: null });
    expect(await one({ start: START, end: SENT, row: PASSED }, { brokenBefore: 2 })).toMatchObject({ agrees: true });
  });
});

describe('an edited row, with its hashes and its seal, differs', () => {
  const failed = (path: string, kind: string) => ({ path, kind, expected: '', observed: null });
  const CASES: [string, Partial<Row>, unknown][] = [
    ['all of it made a pass', PASSED, because('outcome_differs', { field: 'status', was: 'passed', is: 'failed' })],
    [
      'the verdict of the goal',
      { goal_verdict: 'inconclusive', status: 'inconclusive' },
      because('outcome_differs', { field: 'status' }),
    ],
    [
      'the verdict of the guards',
      { guard_verdict: 'fail' },
      because('outcome_differs', { field: 'guard_verdict', was: 'fail', is: 'pass' }),
    ],
    [
      'which assertion decided',
      { failed_contract: failed('success.children.1', 'url') },
      because('outcome_differs', { was: 'url at success.children.1', is: 'url at success.children.0' }),
    ],
    [
      'its kind',
      { failed_contract: failed('success.children.0', 'dom_text') },
      because('outcome_differs', { was: 'dom_text at success.children.0' }),
    ],
    ['no assertion that decided', { failed_contract: null }, otherField('failed_contract')],
    [
      'a failure made an invalid task',
      { status: 'invalid_task', stop: 'invalid_task', failed_contract: null },
      because('task_was_valid'),
    ],
  ];

  it('an invalid task without the assertion that made it so', async () => {
    const judged = await one({ start: SENT, row: { ...INVALID, failed_contract: null } });
    expect(judged).toMatchObject({
      agrees: false,
      why: otherField('failed_contract'),
    });
  });

  it.each(CASES)('%s', async (_, edit, why) => {
    const judged = await one({ start: START, end: START, row: { ...FAILED, ...edit } });
    expect(judged).toMatchObject({ agrees: false, why: why });
  });

  it('a status that follows from no stop and verdicts', async () => {
    const { row, ...attempt } = { start: START, end: SENT, row: { ...PASSED, stop: 'gave_up' } as const };
    await expect(one({ ...attempt, row })).rejects.toThrow('contradicts stop and verdicts');
  });

  it('a failure without its evidence is not judged, and does not agree', async () => {
    for (const [evidenceLeft, moment] of [
      [{ start: START }, 'end'],
      [{ end: SENT }, 'start'],
    ] as const) {
      const judged = await one({ ...evidenceLeft, row: FAILED });
      expect(judged).toMatchObject({ rejudged: null, agrees: false, why: because('no_evidence', { moment }) });
    }
  });
});

describe('a row that hides the end of its episode is not judged, and does not agree:', () => {
  const skipped = { ...NOTHING, status: 'not_applicable', stop: null, mode: 'skip' } as const;

  it.each<[string, Partial<Row>]>([
    ['a failure made a cell that cannot be run', skipped],
    ['a failure made a surface that is not there', { ...skipped, status: 'unavailable' }],
  ])('%s, with its evidence left', async (_, row) => {
    const artifacts = { evidence_start: 'f'.repeat(64) };
    expect(await one({ row: { ...row, artifacts } })).toMatchObject({
      agrees: false,
      why: otherField('artifacts'),
    });
  });

  const solved = Task.parse({ ...TASK, solutions: [{ for: 'page', steps: [{ do: 'not_possible' }] }] });
  const made = async (agent: string, decider: Row['decider'], task = TASK) =>
    await one({ task, row: skipped }, { campaign: by(agent, decider) });

  it.each([
    ['null', 'control', TASK],
    ['parrot', 'control', TASK],
    ['reference', 'reference', solved],
  ] as const)('%s not applicable, although it can run', async (agent, decider, task) => {
    const why = because('cell_can_run', { agent });
    expect(await made(agent, decider, task)).toMatchObject({ agrees: false, why });
  });

  it('but a reference without a solution, and a transcript, which may be missing, agree', async () => {
    expect(await made('reference', 'reference')).toMatchObject({ agrees: true });
    expect(await made('transcript', 'transcript')).toMatchObject({ agrees: true });
  });

  it('but a task that gives files agrees through a surface that cannot upload them, and through no other', async () => {
    const lacking = (lacks: string[]) => (honest: CampaignFile) => {
      const changed = by('null', 'control')(honest);
      const traits = { ...changed.pins.surfaces[SAMPLE.surface], lacks_steps: lacks };
      return CampaignFile.parse({ ...changed, pins: { ...changed.pins, surfaces: { [SAMPLE.surface]: traits } } });
    };
    const row = { task: Task.parse({ ...TASK, files: ['a.txt'] }), row: skipped };
    expect(await one(row, { campaign: lacking(['upload']) })).toMatchObject({ agrees: true });
    expect(await one(row, { campaign: lacking(['drag']) })).toMatchObject({ agrees: false });
    expect(await one({ row: skipped }, { campaign: lacking(['upload']) })).toMatchObject({ agrees: false });
  });

  it('but one that follows steps agrees through a surface that binds none, and null does not', async () => {
    const unbound = (agent: string, decider: Row['decider']) => (honest: CampaignFile) => {
      const changed = by(agent, decider)(honest);
      const traits = { ...changed.pins.surfaces[SAMPLE.surface], binds_steps: false };
      return CampaignFile.parse({ ...changed, pins: { ...changed.pins, surfaces: { [SAMPLE.surface]: traits } } });
    };
    const row = { task: solved, row: skipped };
    expect(await one(row, { campaign: unbound('reference', 'reference') })).toMatchObject({ agrees: true });
    expect(await one(row, { campaign: unbound('null', 'control') })).toMatchObject({ agrees: false });
  });

  it('a control made a model', async () => {
    const row = { ...FAILED, decider: 'model', mode: 'live' } as const;
    const [judged] = await rejudged({ task: TASK, start: START, end: START, row }, { campaign: by('null', 'control') });
    expect(judged).toMatchObject({ agrees: false, why: otherField('decider') });
  });

  it.each([0, 1])('a breakdown that counts after %d others, of three attempts', async (brokenBefore) => {
    const judged = await one({ row: { ...NOTHING, ...BROKEN, counts: true } }, { brokenBefore });
    expect(judged).toMatchObject({ agrees: false, why: otherField('counts') });
  });

  it('an address at the end that differs from the evidence, also of a breakdown and of an episode without a page', async () => {
    const why = because('address_differs', { moment: 'end' });
    const closed = { ...START, pages: [], last_active: null };
    const unjudged = { ...FAILED, goal_verdict: 'inconclusive', status: 'inconclusive' } as const;
    const said = async (attempt: Omit<StagedAttempt, 'task'>, url: string) => {
      const events = (all: EpisodeEvent[]) => all.map((event) => (isEnd(event) ? { ...event, url } : event));
      const row = { ...attempt.row, final_url: url };
      return (await one({ ...attempt, row }, { brokenBefore: 2, events }))?.why;
    };
    expect(await said({ start: START, end: closed, row: unjudged }, 'x')).toEqual(why);
    expect(await said({ start: START, end: closed, row: unjudged }, '')).not.toEqual(why);
    expect(await said({ start: START, end: SENT, row: { ...PASSED, ...BROKEN } }, 'x')).toEqual(why);
    expect(await said({ row: { ...NOTHING, ...BROKEN } }, 'x')).toEqual(otherField('final_url'));
  });

  it('an answer that differs from the evidence', async () => {
    const answered = { start: START, end: { ...SENT, answer: { value: 'sent' } } };
    const why = because('evidence_answer_differs', { moment: 'end' });
    for (const answer of [null, { value: 'bought' }, { not_possible: true } as const]) {
      const events = (all: EpisodeEvent[]) =>
        all.map((event) => (event.type === 'stop' ? { ...event, answer } : event));
      expect(await one({ ...answered, row: { ...PASSED, answer } }, { events })).toMatchObject({ agrees: false, why });
      const alone = await one({ ...answered, row: { ...PASSED, answer } });
      expect(alone).toMatchObject({ agrees: false, why: otherField('answer') });
    }
    expect(await one({ ...answered, row: { ...PASSED, answer: { value: 'sent' } } })).toMatchObject({ agrees: true });
  });

  it.each<[string, (honest: EpisodeEvent[]) => object[], unknown]>([
    ['no events', () => [], because('events_no_end')],
    [
      'another stop',
      (all) => [...all, { type: 'stop', stop: 'gave_up', detail: null, answer: null }],
      otherField('stop'),
    ],
    ['no judgement', (all) => all.filter(({ type }) => type !== 'contract_evaluation'), otherField('goal_verdict')],
    [
      'other evidence',
      (all) => [...all, { type: 'captured', moment: 'end', evidence: 'f'.repeat(64), screenshot: null }],
      otherField('artifacts'),
    ],
    ['a reason why nobody began', (all) => [...all, IMPOSSIBLE], because('events_impossible')],
    ['what is no event', (all) => [...all, { type: 1 }], because('other_shape', { what: 'an event' })],
    [
      'another task',
      (all) => all.map((each) => (each.type === 'reset' ? { ...each, task: 'x' } : each)),
      because('events_other_task'),
    ],
    [
      'more time than had passed',
      (all) => all.map((each) => (isEnd(each) ? { ...each, settle_ms: 60_000 } : each)),
      because('event_too_long'),
    ],
  ])('%s', async (_, events, why) => {
    const judged = await one({ start: START, end: SENT, row: PASSED }, { events });
    expect(judged).toMatchObject({ agrees: false, why: why });
  });
});

const IMPOSSIBLE = { type: 'impossible', status: 'not_applicable', why: 'as it was edited' };

const isEnd = (event: EpisodeEvent): boolean => event.type === 'judged' && event.moment === 'end';

function by(agent: string, decider: Row['decider']): (honest: CampaignFile) => CampaignFile {
  return (honest) => ({
    ...honest,
    plan: { ...honest.plan, entrants: [{ agent, surface: SAMPLE.surface }] },
    pins: { ...honest.pins, deciders: { [agent]: decider }, models: {} },
  });
}

describe('a pass differs if its task, at the start,', () => {
  it.each([
    ['was done already', SENT, { path: 'success', verdict: 'pass' }],
    ['was damaged already', START_DAMAGED, { path: 'guards', verdict: 'fail' }],
    ['could not be judged', { ...START, app_state: UNREADABLE.app_state }, { path: 'guards', verdict: 'inconclusive' }],
  ])('%s', async (_, start, fault) => {
    const judged = await one({ start, end: SENT, row: PASSED });
    expect(judged).toMatchObject({ rejudged: null, agrees: false, why: because('task_was_invalid', fault) });
  });
});

describe('a row outside the plan is not judged, and does not agree:', () => {
  const OTHER = 'f'.repeat(64);
  const DROP = { id: 'lost', kind: 'drop' as const, armed: true, fired: true, cleared: true };
  const CASES: [string, Partial<Row>, unknown][] = [
    ['another campaign', { campaign_id: 'another' }, otherField('campaign_id')],
    ['another suite', { suite: 'another' }, otherField('suite')],
    ['another task', { task: 'another' }, otherField('task')],
    ['another agent', { agent: 'another' }, otherField('agent')],
    ['another surface', { surface: 'another' }, otherField('surface')],
    ['another iteration', { iteration: 1 }, otherField('iteration')],
    ['another episode', { episode_id: OTHER }, because('row_unplanned')],
    ['a task with another hash', { task_hash: OTHER }, otherField('task_hash')],
    ['a contract with another hash', { contract_hash: OTHER }, otherField('contract_hash')],
    ['another category', { category: 'another' }, otherField('category')],
    ['another instance', { instance: 'other' }, otherField('instance')],
    ['a fault that was not planned', { faults: [DROP], recovered: true }, otherField('faults')],
    ['other caps', { caps: { ...SAMPLE.caps, steps: 100_000 } }, otherField('caps')],
    ['a fake made the provider', { endpoint_kind: 'mock', mode: 'mock' }, otherField('endpoint_kind')],
    ['a place behind its end', { plan_index: 1 }, otherField('plan_index')],
  ];

  it.each(CASES)('%s', async (_, edit, why) => {
    const [judged] = await rejudged({ task: TASK, start: START, end: SENT, row: { ...PASSED, ...edit } });
    expect(judged).toMatchObject({ rejudged: null, agrees: false, why: why });
  });

  it('an episode that had a row before', async () => {
    const judged = await rejudged({ task: TASK, start: START, end: SENT, row: PASSED }, { times: 2 });
    expect(judged).toMatchObject([{ agrees: true }, { agrees: false, why: because('row_counted_twice') }]);
  });
});

test('an episode that the plan has and the bundle lacks is reported, and does not agree', async () => {
  const twice = (honest: CampaignFile) => ({ ...honest, plan: { ...honest.plan, iterations: 2 } });
  const judged = await rejudged({ task: TASK, start: START, end: SENT, row: PASSED }, { campaign: twice });
  expect(judged).toMatchObject([
    { agrees: true },
    {
      task: 'send',
      agent: SAMPLE.agent,
      recorded: null,
      rejudged: null,
      agrees: false,
      why: because('row_missing'),
    },
  ]);
});

describe('an attempt with changed files is not judged, and does not agree', () => {
  const passed = { start: START, end: SENT, row: PASSED };

  const rewrite = async (file: string, edit: (text: string) => string) =>
    writeFile(file, edit(await readFile(file, 'utf8')));
  const spaced = (text: string) => text.replace('"steps":', '"steps": ');

  it.each<[string, Required<NonNullable<Staging>>['tamper'], unknown]>([
    [
      'row',
      async ({ attempt }) => rewrite(join(attempt, 'row.json'), spaced),
      because('sealed_file_differs', { file: 'row.json' }),
    ],
    [
      'seal',
      async ({ attempt }) => rewrite(join(attempt, 'seal.json'), (text) => `${text}\n`),
      because('seal_differs'),
    ],
    ['evidence', async ({ blobs }) => rm(blobs, { recursive: true }), because('blob_missing')],
  ])('its %s', async (_, tamper, why) => {
    expect(await one(passed, { tamper })).toMatchObject({ rejudged: null, agrees: false, why });
  });
});
