import { expect, test } from 'vitest';
import { finishRow, type RowDraft } from '../../src/bundle/row.ts';
import { gatesOf } from '../../src/cli/gates.ts';
import { printSummary } from '../../src/cli/run-summary.ts';
import { drawnReport } from '../report/drawn-report.ts';
import { SAMPLE } from '../bundle/sample-row.ts';

const FAILED = { agent: 'reference', decider: 'reference', mode: 'scripted', endpoint_kind: 'none' } as const;
const PASSED = { ...FAILED, status: 'passed', goal_verdict: 'pass', failed_contract: null } as const;
const CONTROL = { ...FAILED, agent: 'null', decider: 'control', mode: 'control' } as const;
const CONTROL_PASSED = { ...PASSED, agent: 'null', decider: 'control', mode: 'control' } as const;

function reportOf(rows: Partial<RowDraft>[], planned = rows.length) {
  const finished = rows.map((row, index) => finishRow({ ...SAMPLE, ...row, plan_index: index }));
  return drawnReport(planned, finished);
}

test('the gates are met when all that are no controls passed, and the controls did not', () => {
  expect(gatesOf(reportOf([PASSED, CONTROL]))).toEqual({ exit: 0, words: 'all met' });
});

test('they are not met when an agent did not pass, or a control did', () => {
  expect(gatesOf(reportOf([PASSED, FAILED, CONTROL]))).toEqual({
    exit: 1,
    words: 'not met: reference/aria passed 1 of 2 episodes',
  });
  expect(gatesOf(reportOf([PASSED, CONTROL_PASSED]))).toEqual({
    exit: 1,
    words: 'not met: the control null/aria passed 1 episode, and must pass none',
  });
});

test('a keyless baseline has no duty to pass, but to run', () => {
  const keyword = { ...FAILED, agent: 'keyword', decider: 'baseline', mode: 'control' } as const;
  expect(gatesOf(reportOf([PASSED, keyword]))).toEqual({ exit: 0, words: 'all met' });
  expect(gatesOf(reportOf([{ ...FAILED, agent: 'mine' }]))).toMatchObject({ exit: 1 });
});

test.each(['null', 'parrot', 'quitter', 'teleport', 'random'])('the control %s must pass nothing', (agent) => {
  const failed = { ...CONTROL, agent };
  expect(gatesOf(reportOf([PASSED, failed]))).toEqual({ exit: 0, words: 'all met' });
  expect(gatesOf(reportOf([PASSED, { ...CONTROL_PASSED, agent }]))).toEqual({
    exit: 1,
    words: `not met: the control ${agent}/aria passed 1 episode, and must pass none`,
  });
});

test('a baseline that is not met is a gate that is not met', () => {
  const baseline = { met: false, expected: 2, passed: 1, problems: ['a: failed'], advice: null };
  expect(gatesOf(reportOf([PASSED]), baseline)).toEqual({ exit: 1, words: 'not met: 1 task of the baseline' });
  expect(gatesOf(reportOf([PASSED]), { ...baseline, problems: [] })).toEqual({ exit: 0, words: 'all met' });
});

test('they are open while episodes are missing or have no result', () => {
  expect(gatesOf(reportOf([PASSED], 2))).toMatchObject({ exit: 3, words: 'open: the campaign is not complete' });
  const broken = { ...FAILED, status: 'infra_error', stop: 'infra_error', declared_done: false } as const;
  expect(gatesOf(reportOf([PASSED, broken]))).toMatchObject({
    exit: 3,
    words: 'open: 1 episode has no result (infra_error)',
  });
});

test('the last line of a run says whether they are met, or how to finish it', () => {
  const lines = (planned: number) => {
    const printed: string[] = [];
    const terminal = { out: (line: string) => printed.push(line), note: () => {} };
    printSummary(
      reportOf([PASSED], planned),
      {
        folder: 'b',
        suiteNames: ['./mine'],
        entrantFiles: { agents: [], surfaces: [] },
        backgroundRequests: {},
        proofs: '1 of 1 task qualifies',
        baseline: null,
        pause: null,
      },
      terminal,
    );
    return printed;
  };
  expect(lines(1).at(-1)).toBe('gates          all met');
  expect(lines(2).at(-1)).toBe('not complete   finish it with: touchstone run --resume b ./mine');
});
