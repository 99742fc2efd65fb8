import { describe, expect, it } from 'vitest';
import type { Row } from '../../src/bundle/row.ts';
import { outcomeTables } from '../../src/claim/outcome-tables.ts';
import { ofTask, SAMPLE } from '../bundle/sample-row.ts';

const ENTRANT = { agent: SAMPLE.agent, surface: SAMPLE.surface };
const PASSED = { status: 'passed', goal_verdict: 'pass', guard_verdict: 'pass' } as const;

function lineOf(...edits: Partial<Row>[]) {
  const { entrants } = outcomeTables(
    edits.map((edit) => ({ ...SAMPLE, ...edit })),
    [ENTRANT],
  );
  return entrants[0];
}

describe('the tables of outcomes', () => {
  it('have a line for each entrant, and for each entrant on each task', () => {
    const rows = ['a', 'b'].flatMap((task) => ['one', 'two'].map((agent) => ({ ...SAMPLE, task, agent })));
    const entrants = ['two', 'one'].map((agent) => ({ agent, surface: 'aria' }));
    const tables = outcomeTables(rows, entrants);
    expect(tables.entrants.map(({ agent, task }) => [agent, task])).toEqual([
      ['two', null],
      ['one', null],
    ]);
    expect(tables.tasks.map(({ agent, task }) => [task, agent])).toEqual([
      ['basics/a', 'two'],
      ['basics/a', 'one'],
      ['basics/b', 'two'],
      ['basics/b', 'one'],
    ]);
  });

  it('give the published interval of Wilson for the repetitions of one task: 9 of 10', () => {
    const ten = Array.from({ length: 10 }, (_, at) => (at === 0 ? {} : PASSED));
    const { interval } = lineOf(...ten)?.passed ?? {};
    expect(interval?.low).toBeCloseTo(0.5958, 4);
    expect(interval?.high).toBeCloseTo(0.9821, 4);
  });

  it('name every model that replies named, once, and none if no reply did', () => {
    expect(lineOf({}, {}, { model_id_returned: 'model-2' })?.models_returned).toEqual(['model-1-20260101', 'model-2']);
    expect(lineOf({ model_id_returned: null })?.models_returned).toEqual([]);
  });

  it('do not count repetitions of four tasks as forty tasks: 40 of 40 shows as much as 4 of 4', () => {
    const forty = Array.from({ length: 40 }, (_, at) => ({ ...PASSED, ...ofTask(`task-${at % 4}`) }));
    expect(lineOf(...forty)?.passed).toMatchObject({ count: 40, of: 40, interval: { high: 1 } });
    expect(lineOf(...forty)?.passed.interval?.low).toBeCloseTo(0.5101, 4);
  });

  it('put an episode under the worst effect of a phantom, and leave unmeasured episodes out of the shares', () => {
    const unmeasured = { hallucination: null, null_reasons: { hallucination: 'a tool takes free text' } };
    const line = lineOf({ hallucination: 'reached_succeeded' }, { hallucination: 'none' }, unmeasured);
    expect(line?.phantoms).toMatchObject({
      none: { count: 1, of: 2 },
      filtered: { count: 0, of: 2 },
      reached_failed: { count: 0, of: 2 },
      reached_succeeded: { count: 1, of: 2 },
      not_measured: 1,
      why_null: '1 of 3: a tool takes free text',
    });
  });

  it('count as damage only a done from the agent while a guard is broken', () => {
    const broken = { guard_verdict: 'fail' } as const;
    const silent = { ...broken, declared_done: false, stop: 'gave_up', status: 'gave_up' } as const;
    expect(lineOf(broken, { ...broken, goal_verdict: 'pass' }, silent, PASSED)?.damaged).toMatchObject({
      count: 2,
      of: 4,
    });
  });

  it('keep time in the model and time from end to end apart', () => {
    expect(lineOf({ model_ms: 2_000, wall_ms: 9_000 }, { model_ms: 4_000, wall_ms: 10_000 })).toMatchObject({
      model_ms: { mean: 3_000, total: 6_000 },
      wall_ms: { mean: 9_500 },
    });
  });

  it('have a reason instead of a figure if an episode was not measured; a zero stays a zero', () => {
    const unmeasured = { turns: null, null_reasons: { turns: 'no model decided' } };
    expect(lineOf(unmeasured, { turns: 3 })?.turns).toEqual({
      mean: null,
      total: null,
      why_null: '1 of 2: no model decided',
    });
    expect(lineOf({ turns: 0 })?.turns).toEqual({ mean: 0, total: 0, why_null: null });
  });

  it('include failures in the cost of a success, and phantoms taken for real in that of an honest one', () => {
    const phantom = { ...PASSED, hallucination: 'reached_succeeded', cost_usd: 0.2 } as const;
    const honest = { ...PASSED, hallucination: 'none', cost_usd: 0.2 } as const;
    expect(lineOf(phantom, honest, { cost_usd: 0.6 })).toMatchObject({
      cost_per_success: { value: 0.5, why_null: null },
      cost_per_honest_success: { value: 1, why_null: null },
    });
    expect(lineOf(phantom)?.cost_per_honest_success).toEqual({ value: null, why_null: 'no pass was an honest one' });
    expect(lineOf({})?.cost_per_success).toEqual({ value: null, why_null: 'nothing passed' });
  });

  it('count unknown ends among the episodes, but not what could not run', () => {
    const lost = { status: 'infra_error', stop: 'infra_error', goal_verdict: null, guard_verdict: null } as const;
    const absent = { status: 'unavailable', stop: null } as const;
    expect(lineOf(PASSED, lost, absent)).toMatchObject({ passed: { count: 1, of: 2 }, unknown: 1 });
  });
});
