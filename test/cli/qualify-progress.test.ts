import { expect, test } from 'vitest';
import { finishRow } from '../../src/bundle/finish-row.ts';
import type { Row } from '../../src/bundle/row.ts';
import { progressOn } from '../../src/cli/qualify-progress.ts';
import { type TrialFacts, TimeLeft } from '../../src/qualify/listener.ts';
import { SAMPLE } from '../bundle/sample-row.ts';
import { terminalOf } from './terminal-of.ts';

const NOTHING_MORE: TrialFacts = { does: null, failedStep: null };
const PASSED = { status: 'passed', goal_verdict: 'pass', failed_contract: null, failure_category: null } as const;
const OF_STEPS = { decider: 'control', mode: 'control', endpoint_kind: 'none', tool_errors: 0 } as const;
const FINISHED = finishRow({ ...SAMPLE, ...OF_STEPS, instance: 'default' });
const STEP = 'step 1 of the solution failed: there is no option "Gray"';

/** The lines about these trials of a task. */
function told(...trials: (Partial<Row> & { facts?: Partial<TrialFacts> })[]): string[] {
  const { terminal, err } = terminalOf(null);
  const progress = progressOn('shop', terminal);
  const left = new TimeLeft([], [], 1);
  for (const { facts, ...row } of trials) {
    progress.finished({ ...FINISHED, ...row }, left, {
      ...NOTHING_MORE,
      ...facts,
    });
  }
  return err();
}

test('a trial whose name only counts it is told with what it does, shortly', () => {
  expect(
    told(
      { agent: 'near-miss-2', facts: { does: 'the price is that of coffee' } },
      { agent: 'perturbed-5', facts: { does: 'step 2 dropped' } },
    ),
  ).toEqual([
    '0/0  checkout  near-miss-2  failed  the price is that of coffee',
    '0/0  checkout  perturbed-5  failed  step 2 dropped',
  ]);
  const [long = ''] = told({ agent: 'perturbed-1', facts: { does: `step 1 altered to ${'x'.repeat(300)}` } });
  expect(long.length).toBeLessThan(120);
  expect(told({ agent: 'null-2' })).toEqual([expect.stringContaining('null-2 (does nothing once more')]);
});

test('of a near-miss that is not carried out is said at once which step failed, and of a perturbation it is not', () => {
  const broken = {
    status: 'agent_error',
    stop: 'agent_error',
    detail: 'step 1 failed: there is no option "Gray"',
  } as const;
  expect(told({ agent: 'near-miss-1', ...broken, facts: { does: 'another colour' } })).toEqual([
    '0/0  checkout  near-miss-1  agent_error  another colour: step 1 failed: there is no option "Gray"',
  ]);
  expect(told({ agent: 'perturbed-1', ...broken, facts: { does: 'step 1 doubled' } })).toEqual([
    '0/0  checkout  perturbed-1  agent_error  step 1 doubled',
  ]);
});

test('who passed although a step failed is warned of where the author wrote that step, and not where the command did', () => {
  expect(told({ agent: 'reference-2', ...PASSED, tool_errors: 1, facts: { failedStep: STEP } })[0]).toBe(
    `warning: checkout: reference-2 passed although ${STEP}: leave such a step out, or fix it`,
  );
  expect(told({ agent: 'perturbed-4', ...PASSED, tool_errors: 1 }).join('\n')).not.toContain('warning');
});

test('that a changed solution which passes may be right is said once, and not in each line', () => {
  const lines = told(
    { agent: 'perturbed-1', ...PASSED, facts: { does: 'step 1 doubled' } },
    { agent: 'perturbed-2', ...PASSED, facts: { does: 'step 2 doubled' } },
  );
  expect(lines).toEqual([
    '0/0  checkout  perturbed-1  passed  step 1 doubled',
    expect.stringMatching(/^a changed solution that passes is right if/),
    '0/0  checkout  perturbed-2  passed  step 2 doubled',
  ]);
  expect(told({ agent: 'near-miss-1', ...PASSED })).toHaveLength(1);
});

test('trials that are left out are counted', () => {
  const { terminal, err } = terminalOf(null);
  progressOn('shop', terminal).leftOut('checkout', 18);
  expect(err()).toEqual(['checkout: the solution never passed: the other 18 trials were not made']);
});
