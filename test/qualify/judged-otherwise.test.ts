import { expect, test } from 'vitest';
import { otherwiseLines } from '../../src/cli/qualify-words.ts';
import type { Evidence } from '../../src/contract/evidence.ts';
import { judgeTask, type TaskContracts } from '../../src/contract/judge-task.ts';
import type { Status } from '../../src/contract/status.ts';
import { judgedOtherwise } from '../../src/qualify/judged-otherwise.ts';
import type { JudgedTrial } from '../../src/qualify/judged-trial.ts';
import { evidence, page } from '../contract/evidence-sample.ts';

const CONTRACTS: TaskContracts = {
  success: {
    kind: 'and',
    children: [
      { kind: 'url', pattern: 'paid$' },
      { kind: 'not', child: { kind: 'url', pattern: 'error' } },
      {
        kind: 'or',
        children: [
          { kind: 'url', pattern: '^https' },
          { kind: 'url', pattern: '^ftp' },
        ],
      },
    ],
  },
  guards: { kind: 'no_dialog' },
};

const TRIALS: Readonly<Record<string, JudgedTrial['trial']>> = Object.fromEntries(
  (
    [
      ['reference', 'reference'],
      ['reference-2', 'reference'],
      ['null', 'control'],
      ['route-2', 'route'],
      ['reference-own', 'route', 'own'],
      ['near-miss-1', 'near-miss', 'aria', 'it is another shop'],
      ['perturbed-1', 'perturbed', 'aria', 'steps 1 and 2 swapped'],
      ['perturbed-2', 'perturbed', 'aria', 'step 2 dropped'],
    ] as const
  ).map(([id, kind, surface = 'aria', what = null]) => [id, { id, kind, surface, what }]),
);

type State = Omit<JudgedTrial, 'trial'>;

function at(url: string, status: Status, open = false): State {
  const dialog = open ? { dialog: { type: 'confirm' as const, message: 'Pay?' } } : {};
  const end: Evidence = evidence({ pages: [page({ url, ...dialog })] });
  const judged = judgeTask(CONTRACTS, end);
  return {
    stop: 'done',
    detail: null,
    finalUrl: url,
    start: null,
    end,
    status,
    goal: judged.goal,
    guard: judged.guard,
    judged,
  };
}

function found(states: Record<string, State>, falsePasses: readonly string[] = []) {
  const tried = Object.entries(TRIALS).flatMap(([id, trial]) => {
    const state = states[id];
    return state === undefined ? [] : [{ trial, ...state }];
  });
  return judgedOtherwise(tried, falsePasses);
}

test('of a solution that does not pass each clause that does not hold is told, and no other', () => {
  const [state, ...others] = found({ reference: at('https://shop.test/error', 'failed', true) });
  expect(others).toEqual([]);
  expect(state).toMatchObject({ what: 'the solution', must: 'pass' });
  expect(state?.clauses.map(({ name, came }) => [name, came])).toEqual([
    ['success.children[0] (url)', 'https://shop.test/error'],
    ['success.children[1] (not url)', 'https://shop.test/error'],
    ['guards (no_dialog)', expect.stringContaining('Pay?')],
  ]);
});

test('of a near-miss that passes each clause that holds is told, of an "or" those alone that made it hold', () => {
  const [state] = found({ 'near-miss-1': at('https://shop.test/paid', 'passed') });
  expect(state).toMatchObject({ what: 'the near-miss "it is another shop"', must: 'fail' });
  expect(state?.clauses.map(({ name }) => name)).toEqual([
    'success.children[0] (url)',
    'success.children[1] (not url)',
    'success.children[2].children[0] (url)',
    'guards (no_dialog)',
  ]);
});

test('of a solution a step of which failed that is told first', () => {
  const failedStep = 'step 2 of the solution failed: there is no option "vegn"';
  const states = found({ reference: { ...at('https://shop.test/error', 'failed'), failedStep } });
  expect(states).toMatchObject([{ failedStep }]);
  expect(otherwiseLines('pay', states).slice(0, 2)).toEqual([
    `pay: ${failedStep}; mend that step first`,
    'pay: the solution ought to pass, but after that these clauses do not hold:',
  ]);
});

test('of a solution whose steps went well nothing is said of a step', () => {
  const [first] = otherwiseLines('pay', found({ reference: at('https://shop.test/error', 'failed') }));
  expect(first).toBe('pay: the solution ought to pass, but these clauses do not hold:');
});

test('what was judged as it should be is not told', () => {
  expect(
    found({
      reference: at('https://shop.test/paid', 'passed'),
      null: at('https://shop.test/', 'failed'),
      'near-miss-1': at('https://shop.test/other', 'failed'),
    }),
  ).toEqual([]);
});

test('a start at which a guard does not hold is told by that guard', () => {
  const [state] = found({ null: at('https://shop.test/', 'invalid_task', true) });
  expect(state).toMatchObject({ what: 'the start', must: 'pass', clauses: [{ name: 'guards (no_dialog)' }] });
});

test('a start at which success holds already is told by the clauses that hold', () => {
  const [state] = found({ null: at('https://shop.test/paid', 'invalid_task') });
  expect(state).toMatchObject({ what: 'the start', must: 'fail' });
  expect(state?.clauses.map(({ name }) => name)).toContain('success.children[0] (url)');
});

test('states that were judged alike are told once', () => {
  const both = { null: at('https://shop.test/paid', 'passed'), 'near-miss-1': at('https://shop.test/paid', 'passed') };
  expect(found(both).map(({ what }) => what)).toEqual(['the control null and the near-miss "it is another shop"']);
});

test('a solution is named once however often it was run, and the runs are counted where they differ', () => {
  const error = at('https://shop.test/error', 'failed');
  const paid = at('https://shop.test/paid', 'passed');
  const what = (tried: Record<string, State>) => found(tried).map((state) => state.what);
  expect(what({ reference: error, 'reference-2': error })).toEqual(['the solution']);
  expect(what({ reference: paid, 'reference-2': error })).toEqual(['the solution, in 1 of 2 runs,']);
  expect(what({ reference: error, 'reference-2': error, 'route-2': error, 'reference-own': error })).toEqual([
    'the solution and solution 2 and the solution through own',
  ]);
});

test('of a near-miss that was not carried out is told which of its steps failed', () => {
  const detail = 'step 1 failed: there is no option "Yellow"';
  const states = found({ 'near-miss-1': { ...at('https://shop.test/', 'agent_error'), detail } });
  expect(otherwiseLines('pay', states)).toEqual([
    `pay: the near-miss "it is another shop" must be carried out and fail, but ended early: ${detail}`,
  ]);
  expect(found({ 'near-miss-1': at('https://shop.test/', 'invalid_task') }).map(({ must }) => must)).not.toContain(
    'be_carried_out',
  );
});

test('what is told of a state is said which reasons of the proof it stands for, of a control none', () => {
  const paid = at('https://shop.test/paid', 'passed');
  const reasons = (tried: Record<string, State>) => found(tried, ['step 2 dropped']).flatMap((state) => state.reasons);
  expect(reasons({ null: paid, 'near-miss-1': paid, 'perturbed-2': paid })).toEqual([
    'the near-miss "it is another shop" came to passed and not to failed',
    'passed, and its end state is not a right one: step 2 dropped',
  ]);
  expect(reasons({ null: paid })).toEqual([]);
});

test('of perturbed ends that pass only those that are not right are told', () => {
  const paid = at('https://shop.test/paid', 'passed');
  const both = { 'perturbed-1': paid, 'perturbed-2': paid };
  expect(found(both)).toEqual([]);
  expect(found(both, ['step 2 dropped']).map(({ what }) => what)).toEqual(['the wrong end "step 2 dropped"']);
});

test('of a selector that matches nothing, at the start as at the end, is said to look at it first', () => {
  const contracts: TaskContracts = { success: { kind: 'dom_text', selector: '#gests li', contains: 'Bob' } };
  const judged = judgeTask(contracts, evidence({}));
  const off = { ...at('https://shop.test/', 'failed'), judged };
  const told = (start: typeof judged | null) =>
    otherwiseLines('pay', found({ reference: { ...off, judgedStart: start } })).join('\n');
  expect(told(judged)).toContain('its selector matches nothing, at the start as at the end');
  expect(told(null)).not.toContain('selector');
});
