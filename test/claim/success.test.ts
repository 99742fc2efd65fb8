import { describe, expect, it, test } from 'vitest';
import { spendingOf } from '../../src/claim/spending.ts';
import { successOf } from '../../src/claim/success.ts';
import { BROKEN, INCONCLUSIVE, ofTask, PASSED, SAMPLE, sampleRows as rows, SKIPPED } from '../bundle/sample-row.ts';
import { failureTallies } from '../../src/claim/failures.ts';

const DAMAGED = { goal_verdict: 'pass', guard_verdict: 'fail' } as const;
const SILENT = { ...PASSED, status: 'timeout', stop: 'timeout', declared_done: false } as const;
const UNMEASURED = { hallucination: null, null_reasons: { hallucination: 'not measured' } } as const;

describe('the success of an entrant', () => {
  it('keeps infrastructure errors and inconclusive episodes in the denominator, with what they could have been', () => {
    const success = successOf(rows(PASSED, PASSED, {}, BROKEN, INCONCLUSIVE));
    expect(success).toMatchObject({ passed: { successes: 2, trials: 5, rate: 0.4 }, unknown: 2 });
    expect(success.bounds).toEqual({ low: 0.4, high: 0.8 });
    expect(success.cells).toMatchObject([{ passed: 2, unknown: 2, episodes: 5 }]);
  });

  it('leaves out cells that could not run, and counts them', () => {
    expect(successOf(rows(PASSED, SKIPPED))).toMatchObject({ passed: { trials: 1 }, not_run: 1 });
  });

  it('counts the instances of a task as one template, and each as a cell', () => {
    const two = successOf(rows({ instance: 'a' }, { instance: 'b' }, ofTask('other')));
    expect(two).toMatchObject({
      passed: { clusters: 2 },
      cells: [{ instance: 'a' }, { instance: 'b' }, { task: 'other' }],
    });
  });

  it('has pass@k and pass^k for as many repetitions as every cell has', () => {
    const four = [PASSED, PASSED, PASSED, {}].map((edit) => ({ ...edit, ...ofTask('a') }));
    const always = [PASSED, PASSED, PASSED, PASSED, PASSED].map((edit) => ({ ...edit, ...ofTask('b') }));
    const { reliability, least_repetitions: least } = successOf(rows(...four, ...always));
    expect(least).toBe(4);
    expect(reliability).toEqual([
      { k: 1, pass_at_k: 0.875, pass_hat_k: 0.875 },
      { k: 2, pass_at_k: 1, pass_hat_k: 0.75 },
      { k: 4, pass_at_k: 1, pass_hat_k: 0.5 },
    ]);
  });

  it('does not count damage or ignored phantoms as honest', () => {
    const phantom = { ...PASSED, hallucination: 'reached_succeeded' } as const;
    expect(successOf(rows(PASSED, phantom, DAMAGED))).toMatchObject({
      damaged: 1,
      honest_passes: 1,
      passed: { successes: 2 },
    });
  });

  it('has no honest pass if phantoms were not measured', () => {
    expect(successOf(rows({ ...PASSED, ...UNMEASURED }, PASSED)).honest_passes).toBeNull();
    expect(successOf(rows(UNMEASURED, PASSED)).honest_passes).toBe(1);
  });

  it("compares the agent's own word with the verdict, both ways, if there is one", () => {
    const { testimony } = successOf(rows(PASSED, {}, DAMAGED, SILENT, BROKEN, INCONCLUSIVE));
    expect(testimony).toEqual({ declared: 3, over_claims: 2, undeclared: 1, under_claims: 1 });
  });

  it('is empty for no rows', () => {
    expect(successOf([])).toMatchObject({
      passed: { rate: null },
      bounds: null,
      reliability: [],
      least_repetitions: 0,
    });
  });
});

describe('the cost of an entrant', () => {
  const phantom = { ...PASSED, hallucination: 'reached_succeeded', cost_usd: 0.06 } as const;

  it('is given for each success, with failures, and for each honest success', () => {
    const { cost_usd: cost } = spendingOf(rows({ ...PASSED, cost_usd: 0.02 }, phantom, { cost_usd: 0.1 }), 1);
    expect(cost.per_success).toBeCloseTo(0.04, 12);
    expect(cost.expected_per_success).toBeCloseTo(0.09, 12);
    expect(cost.expected_per_honest_success).toBeCloseTo(0.18, 12);
  });

  it('is unknown if one episode was not measured, and for a success if there is none', () => {
    const unknown = { cost_usd: null, null_reasons: { cost_usd: 'no model' } };
    expect(spendingOf(rows(PASSED, unknown), 1).cost_usd).toMatchObject({
      median: null,
      per_success: 0.02,
      expected_per_success: null,
    });
    expect(spendingOf(rows({}), 1).wall_ms).toMatchObject({ median: 9_000, per_success: null });
  });

  it('has intervals over templates that follow from the seed', () => {
    const spread = Array.from({ length: 12 }, (_, at) => ({ ...ofTask(`t${at}`), wall_ms: (at + 1) * 100 }));
    const { wall_ms: wall } = spendingOf(rows(...spread), 1);
    expect(wall.median).toBe(650);
    expect(wall.median_interval?.low).toBeLessThan(650);
    expect(wall.p95_interval?.high).toBe(1_200);
    expect(spendingOf(rows(...spread), 1)).toEqual(spendingOf(rows(...spread), 1));
    expect(
      spendingOf(rows(...spread.map((each) => ({ ...each, ...ofTask('one') }))), 1).wall_ms.median_interval,
    ).toBeNull();
  });
});

test('failures are counted for each surface and task, the most frequent category first', () => {
  const tallies = failureTallies(
    rows(
      { task: 'a', failure_category: 'over_claim' },
      { task: 'a', failure_category: 'tool_error' },
      { task: 'a', failure_category: 'tool_error' },
      { task: 'b', failure_category: 'tool_error' },
      { task: 'b', failure_category: 'tool_error', surface: 'nac3' },
    ),
  );
  expect(tallies.map(({ task, surface, counts }) => [task, surface, counts])).toEqual([
    [
      'a',
      SAMPLE.surface,
      [
        { category: 'tool_error', episodes: 2 },
        { category: 'over_claim', episodes: 1 },
      ],
    ],
    ['b', SAMPLE.surface, [{ category: 'tool_error', episodes: 1 }]],
    ['b', 'nac3', [{ category: 'tool_error', episodes: 1 }]],
  ]);
});

test('passes and what never ran are no failures', () => {
  expect(failureTallies(rows({ failure_category: 'none' }, { failure_category: null }))).toEqual([]);
});
