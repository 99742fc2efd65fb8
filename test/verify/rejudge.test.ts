import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import type { RowDraft } from '../../src/bundle/row.ts';
import { CampaignFile } from '../../src/plan/campaign-file.ts';
import { present } from '../../src/contract/evidence.ts';
import { Task } from '../../src/task/schema.ts';
import type { EpisodeEvent } from '../../src/episode/events.ts';
import { SAMPLE } from '../bundle/sample-row.ts';
import { PASSED, SENT, START, TASK } from './sample-attempt.ts';
import { rejudged, type StagedAttempt } from './staged-bundle.ts';

const DAMAGED = { ...SENT, app_state: present({ start: { messages: 0, users: 1 }, now: { messages: 1 } }) };
const START_DAMAGED = { ...START, app_state: DAMAGED.app_state };
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

async function one(attempt: Omit<StagedAttempt, 'task'> & { task?: Task }, staging?: Parameters<typeof rejudged>[1]) {
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

  it('and says why the deciding assertion decided', async () => {
    expect(await one({ start: START, end: START, row: FAILED })).toMatchObject({
      recorded: { status: 'failed', goal: 'fail', guard: 'pass', failed: { path: 'success.children.0', kind: 'url' } },
      why: 'the URL does not match',
    });
    expect(await one({ start: START, end: SENT, row: PASSED })).toMatchObject({ why: null });
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

describe('a row that was edited, with its hashes and its seal, differs', () => {
  const failed = (path: string, kind: string) => ({ path, kind, expected: '', observed: null });
  const CASES: [string, Partial<RowDraft>, string][] = [
    ['all of it made a pass', PASSED, 'status was recorded as passed and is failed; goal_verdict was recorded as pass'],
    ['the verdict of the goal', { goal_verdict: 'inconclusive', status: 'inconclusive' }, 'status was recorded as'],
    ['the verdict of the guards', { guard_verdict: 'fail' }, 'guard_verdict was recorded as fail and is pass'],
    [
      'which assertion decided',
      { failed_contract: failed('success.children.1', 'url') },
      'failed_contract was recorded as url at success.children.1 and is url at success.children.0',
    ],
    [
      'its kind',
      { failed_contract: failed('success.children.0', 'dom_text') },
      'failed_contract was recorded as dom_text at success.children.0',
    ],
    ['no assertion that decided', { failed_contract: null }, 'failed_contract is not what was recorded'],
    [
      'a failure made an invalid task',
      { status: 'invalid_task', stop: 'invalid_task', failed_contract: null },
      'its task was valid at the start',
    ],
  ];

  it('an invalid task without the assertion that made it so', async () => {
    const judged = await one({ start: SENT, row: { ...INVALID, failed_contract: null } });
    expect(judged).toMatchObject({
      agrees: false,
      why: expect.stringContaining('failed_contract is not what was recorded'),
    });
  });

  it.each(CASES)('%s', async (_, edit, why) => {
    const judged = await one({ start: START, end: START, row: { ...FAILED, ...edit } });
    expect(judged).toMatchObject({ agrees: false, why: expect.stringContaining(why) });
  });

  it('a status that no stop and verdicts give', async () => {
    const { row, ...attempt } = { start: START, end: SENT, row: { ...PASSED, stop: 'gave_up' } as const };
    await expect(one({ ...attempt, row })).rejects.toThrow('contradicts stop and verdicts');
  });

  it('a failure without its evidence is not judged, and does not agree', async () => {
    for (const [evidenceLeft, moment] of [
      [{ start: START }, 'end'],
      [{ end: SENT }, 'start'],
    ] as const) {
      const judged = await one({ ...evidenceLeft, row: FAILED });
      expect(judged).toMatchObject({ rejudged: null, agrees: false, why: `there is no evidence of the ${moment}` });
    }
  });
});

describe('a row that hides what came of its episode is not judged, and does not agree:', () => {
  const skipped = { ...NOTHING, status: 'not_applicable', stop: null, mode: 'skip' } as const;

  it.each<[string, Partial<RowDraft>]>([
    ['a failure made a cell that cannot be run', skipped],
    ['a failure made a surface that is not there', { ...skipped, status: 'unavailable' }],
  ])('%s, with its evidence left', async (_, row) => {
    const artifacts = { evidence_start: 'f'.repeat(64) };
    expect(await one({ row: { ...row, artifacts } })).toMatchObject({
      agrees: false,
      why: expect.stringContaining('artifacts is not what was recorded'),
    });
  });

  const solved = Task.parse({ ...TASK, solutions: [{ for: 'page', steps: [{ do: 'not_possible' }] }] });
  const made = async (agent: string, decider: RowDraft['decider'], task = TASK) =>
    await one({ task, row: skipped }, { campaign: by(agent, decider) });

  it.each([
    ['null', 'control', TASK],
    ['parrot', 'control', TASK],
    ['reference', 'reference', solved],
  ] as const)('%s not applicable, which can run', async (agent, decider, task) => {
    const why = `it is not_applicable, and agent ${agent} can run this task`;
    expect(await made(agent, decider, task)).toMatchObject({ agrees: false, why });
  });

  it('while a reference without a solution, and a transcript, which may be missing, agree', async () => {
    expect(await made('reference', 'reference')).toMatchObject({ agrees: true });
    expect(await made('transcript', 'transcript')).toMatchObject({ agrees: true });
  });

  it('while one that follows steps agrees through a surface that binds none, and null does not', async () => {
    const unbound = (agent: string, decider: RowDraft['decider']) => (honest: CampaignFile) => {
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
    expect(judged).toMatchObject({ agrees: false, why: expect.stringContaining('decider is not what was recorded') });
  });

  it.each([0, 1])('a breakdown that counts after %d others, of three attempts', async (brokenBefore) => {
    const judged = await one({ row: { ...NOTHING, ...BROKEN, counts: true } }, { brokenBefore });
    expect(judged).toMatchObject({ agrees: false, why: expect.stringContaining('counts is not what was recorded') });
  });

  it('an address at the end that is not that of the evidence, also of a breakdown and of an episode without a page', async () => {
    const why = 'the address at the end is not that of the evidence';
    const closed = { ...START, pages: [], last_active: null };
    const unjudged = { ...FAILED, goal_verdict: 'inconclusive', status: 'inconclusive' } as const;
    const said = async (attempt: Omit<StagedAttempt, 'task'>, url: string) => {
      const events = (all: EpisodeEvent[]) => all.map((event) => (isEnd(event) ? { ...event, url } : event));
      const row = { ...attempt.row, final_url: url };
      return (await one({ ...attempt, row }, { brokenBefore: 2, events }))?.why;
    };
    expect(await said({ start: START, end: closed, row: unjudged }, 'x')).toBe(why);
    expect(await said({ start: START, end: closed, row: unjudged }, '')).not.toBe(why);
    expect(await said({ start: START, end: SENT, row: { ...PASSED, ...BROKEN } }, 'x')).toBe(why);
    expect(await said({ row: { ...NOTHING, ...BROKEN } }, 'x')).toContain('final_url is not what was recorded');
  });

  it('an answer that is not that of the evidence', async () => {
    const answered = { start: START, end: { ...SENT, answer: { value: 'sent' } } };
    const why = 'the answer at the end is not that of the evidence';
    for (const answer of [null, { value: 'bought' }, { not_possible: true } as const]) {
      const events = (all: EpisodeEvent[]) =>
        all.map((event) => (event.type === 'stop' ? { ...event, answer } : event));
      expect(await one({ ...answered, row: { ...PASSED, answer } }, { events })).toMatchObject({ agrees: false, why });
      const alone = await one({ ...answered, row: { ...PASSED, answer } });
      expect(alone).toMatchObject({ agrees: false, why: expect.stringContaining('answer is not what was recorded') });
    }
    expect(await one({ ...answered, row: { ...PASSED, answer: { value: 'sent' } } })).toMatchObject({ agrees: true });
  });

  it.each<[string, (honest: EpisodeEvent[]) => object[], string]>([
    ['no events', () => [], 'events.jsonl tells neither of an end, nor why nobody began'],
    [
      'another stop',
      (all) => [...all, { type: 'stop', stop: 'gave_up', detail: null, answer: null }],
      'stop is not what was recorded',
    ],
    [
      'no judgement',
      (all) => all.filter(({ type }) => type !== 'contract_evaluation'),
      'goal_verdict is not what was recorded',
    ],
    [
      'other evidence',
      (all) => [...all, { type: 'captured', moment: 'end', evidence: 'f'.repeat(64), screenshot: null }],
      'artifacts is not what was recorded',
    ],
    ['a reason why nobody began', (all) => [...all, IMPOSSIBLE], 'tells why nobody began, and of an episode that has'],
    ['what is no event', (all) => [...all, { type: 1 }], 'events.jsonl:13 is not an event'],
    [
      'another task',
      (all) => all.map((each) => (each.type === 'reset' ? { ...each, task: 'x' } : each)),
      'another task',
    ],
    [
      'more time than had passed',
      (all) => all.map((each) => (isEnd(each) ? { ...each, settle_ms: 60_000 } : each)),
      'tells of more time than had passed',
    ],
  ])('%s', async (_, events, why) => {
    const judged = await one({ start: START, end: SENT, row: PASSED }, { events });
    expect(judged).toMatchObject({ agrees: false, why: expect.stringContaining(why) });
  });
});

const IMPOSSIBLE = { type: 'impossible', status: 'not_applicable', why: 'as it was edited' };

const isEnd = (event: EpisodeEvent): boolean => event.type === 'judged' && event.moment === 'end';

/** A campaign of this agent alone. */
function by(agent: string, decider: RowDraft['decider']): (honest: CampaignFile) => CampaignFile {
  return (honest) => ({
    ...honest,
    plan: { ...honest.plan, entrants: [{ agent, surface: SAMPLE.surface }] },
    pins: { ...honest.pins, deciders: { [agent]: decider }, models: {} },
  });
}

describe('a pass differs whose task, at the start,', () => {
  it('was done already', async () => {
    expect(await one({ start: SENT, end: SENT, row: PASSED })).toMatchObject({
      rejudged: null,
      agrees: false,
      why: 'its task was invalid at the start: success was pass',
    });
  });

  it('was damaged already', async () => {
    expect(await one({ start: START_DAMAGED, end: SENT, row: PASSED })).toMatchObject({
      agrees: false,
      why: 'its task was invalid at the start: guards was fail',
    });
  });

  it('could not be judged', async () => {
    const start = { ...START, app_state: UNREADABLE.app_state };
    expect(await one({ start, end: SENT, row: PASSED })).toMatchObject({
      agrees: false,
      why: 'its task was invalid at the start: guards was inconclusive',
    });
  });
});

describe('a row that is not of the plan is not judged, and does not agree:', () => {
  const OTHER = 'f'.repeat(64);
  const DROP = { id: 'lost', kind: 'drop' as const, armed: true, fired: true, cleared: true };
  const CASES: [string, Partial<RowDraft>, string][] = [
    ['another campaign', { campaign_id: 'another' }, 'campaign_id is not what was recorded'],
    ['another suite', { suite: 'another' }, 'suite is not what was recorded'],
    ['another task', { task: 'another' }, 'task is not what was recorded'],
    ['another agent', { agent: 'another' }, 'agent is not what was recorded'],
    ['another surface', { surface: 'another' }, 'surface is not what was recorded'],
    ['another iteration', { iteration: 1 }, 'iteration is not what was recorded'],
    ['another episode', { episode_id: OTHER }, 'its episode is not in the plan'],
    ['a task with another hash', { task_hash: OTHER }, 'task_hash is not what was recorded'],
    ['a contract with another hash', { contract_hash: OTHER }, 'contract_hash is not what was recorded'],
    ['another category', { category: 'another' }, 'category is not what was recorded'],
    ['another instance', { instance: 'other' }, 'instance is not what was recorded'],
    ['a fault that was not planned', { faults: [DROP], recovered: true }, 'faults is not what was recorded'],
    ['other caps', { caps: { ...SAMPLE.caps, steps: 100_000 } }, 'caps is not what was recorded'],
    ['a fake made the provider', { endpoint_kind: 'mock', mode: 'mock' }, 'endpoint_kind is not what was recorded'],
    ['a place behind its end', { plan_index: 1 }, 'plan_index is not what was recorded'],
  ];

  it.each(CASES)('%s', async (_, edit, why) => {
    const [judged] = await rejudged({ task: TASK, start: START, end: SENT, row: { ...PASSED, ...edit } });
    expect(judged).toMatchObject({ rejudged: null, agrees: false, why: expect.stringContaining(why) });
  });

  it('an episode that had a row before', async () => {
    const judged = await rejudged({ task: TASK, start: START, end: SENT, row: PASSED }, { times: 2 });
    expect(judged).toMatchObject([{ agrees: true }, { agrees: false, why: 'its episode is counted twice' }]);
  });
});

test('an episode that the plan has and the bundle lacks is told, and does not agree', async () => {
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
      why: 'the plan has this episode, and the bundle has no row that counts for it',
    },
  ]);
});

describe('an attempt whose files were changed is not judged, and does not agree', () => {
  const passed = { start: START, end: SENT, row: PASSED };

  it('its row', async () => {
    const judged = await one(passed, {
      tamper: async ({ attempt }) => {
        const file = join(attempt, 'row.json');
        await writeFile(file, (await readFile(file, 'utf8')).replace('"steps":', '"steps": '));
      },
    });
    expect(judged).toMatchObject({
      rejudged: null,
      agrees: false,
      why: 'row.json: holds other bytes than were sealed',
    });
  });

  it('its seal', async () => {
    const judged = await one(passed, {
      tamper: async ({ attempt }) => {
        const file = join(attempt, 'seal.json');
        await writeFile(file, `${await readFile(file, 'utf8')}\n`);
      },
    });
    expect(judged).toMatchObject({ agrees: false, why: 'seal.json is not the one that the ledger has' });
  });

  it('its evidence', async () => {
    const judged = await one(passed, { tamper: async ({ blobs }) => rm(blobs, { recursive: true }) });
    expect(judged).toMatchObject({
      rejudged: null,
      agrees: false,
      why: expect.stringMatching(/^blob [0-9a-f]{64} is not/),
    });
  });
});
