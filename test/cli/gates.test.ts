import { expect, test } from 'vitest';
import { finishRow, type Row } from '../../src/bundle/row.ts';
import { gatesOf } from '../../src/cli/gates.ts';
import { SAMPLE } from '../bundle/sample-row.ts';
import { drawnReport } from '../report/drawn-report.ts';

const FAILED = { agent: 'reference', decider: 'reference', mode: 'scripted', endpoint_kind: 'none' } as const;
const PASSED = { ...FAILED, status: 'passed', goal_verdict: 'pass', failed_contract: null } as const;
const BROKEN = { ...FAILED, status: 'infra_error', stop: 'infra_error', declared_done: false } as const;
const KEYWORD = { ...FAILED, agent: 'keyword', decider: 'baseline', mode: 'control' } as const;

const control = (agent: string) => ({ ...FAILED, agent, decider: 'control', mode: 'control' }) as const;
const CONTROLS = ['null', 'parrot', 'quitter', 'teleport', 'random'];
const MET = { exit: 0, words: 'all met' };
const notMet = (words: string) => ({ exit: 1, words: `not met: ${words}` });

function reportOf(rows: readonly Partial<Row>[], planned = rows.length) {
  return drawnReport(
    planned,
    rows.map((row, index) => finishRow({ ...SAMPLE, ...row, plan_index: index })),
  );
}

test.each<[string, Partial<Row>[], object]>([
  ['an agent passes and a control fails', [PASSED, control('null')], MET],
  ['an agent fails once', [PASSED, FAILED, control('null')], notMet('reference/aria passed 1 of 2 episodes')],
  ['a baseline agent fails: it only has to run', [PASSED, KEYWORD], MET],
  ['an agent of a user fails', [{ ...FAILED, agent: 'mine' }], { exit: 1 }],
  ['an episode has no result', [PASSED, BROKEN], { exit: 3, words: 'open: 1 episode has no result (infra_error)' }],
  ...CONTROLS.map((agent): [string, Partial<Row>[], object] => [
    `the control ${agent} passes`,
    [PASSED, { ...PASSED, ...control(agent) }],
    notMet(`the control ${agent}/aria passed 1 episode, but must pass none`),
  ]),
])('gates when %s', (_, rows, gates) => {
  expect(gatesOf(reportOf(rows))).toMatchObject(gates);
});

test('gates are open while episodes are missing', () => {
  expect(gatesOf(reportOf([PASSED], 2))).toMatchObject({ exit: 3, words: 'open: the campaign is not complete' });
});

test('gates need the baseline, too', () => {
  const baseline = { met: false, expected: 2, passed: 1, problems: ['a: failed'], advice: null };
  expect(gatesOf(reportOf([PASSED]), baseline)).toEqual(notMet('1 task of the baseline'));
  expect(gatesOf(reportOf([PASSED]), { ...baseline, problems: [] })).toEqual(MET);
});
