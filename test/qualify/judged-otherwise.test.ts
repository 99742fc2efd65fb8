import { expect, test } from 'vitest';
import { otherwiseLines } from '../../src/cli/qualify-words.ts';
import type { Evidence } from '../../src/contract/evidence.ts';
import { judgeTask, type TaskContracts } from '../../src/contract/judge-task.ts';
import type { Status } from '../../src/contract/status.ts';
import { type EndDifference, judgedOtherwise, type Misjudged } from '../../src/qualify/judged-otherwise.ts';
import type { JudgedTrial } from '../../src/qualify/judged-trial.ts';
import { textsOf } from '../cli/texts-of.ts';
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

const NONE: Misjudged = { passed: [], failed: [] };

function found(states: Record<string, State>, misjudged = NONE, difference?: () => EndDifference) {
  const tried = Object.entries(TRIALS).flatMap(([id, trial]) => {
    const state = states[id];
    return state === undefined ? [] : [{ trial, ...state }];
  });
  return judgedOtherwise(tried, misjudged, difference);
}

/** The lines about states, and the reasons of the proof that they explain. */
function told(states: Record<string, State>, misjudged?: Misjudged, difference?: () => EndDifference): string[] {
  const otherwise = found(states, misjudged, difference);
  const reasons = otherwise.flatMap((state) => state.reasons);
  return [...otherwiseLines('pay', otherwise), ...reasons.map((reason) => `for the reason: ${reason}`)];
}

test('wrongly judged states are reported', async () => {
  const [paid, other, error] = [
    at('https://shop.test/paid', 'passed'),
    at('https://shop.test/other', 'failed'),
    at('https://shop.test/error', 'failed'),
  ];
  const start = at('https://shop.test/', 'failed');
  const failedStep = 'step 2 of the solution failed: there is no option "vegn"';
  const early = { ...at('https://shop.test/', 'agent_error'), detail: 'step 1 failed: there is no option "Yellow"' };
  const contracts: TaskContracts = { success: { kind: 'dom_text', selector: '#gests li', contains: 'Bob' } };
  const judged = judgeTask(contracts, evidence({}));
  await expect(
    textsOf({
      'as they should be': told({ reference: paid, null: start, 'near-miss-1': other }),
      'a solution that fails': told({ reference: error }),
      'a solution that fails with a dialog open': told({ reference: at('https://shop.test/error', 'failed', true) }),
      'a solution of which a step fails': told({ reference: { ...error, failedStep } }),
      'a solution that fails twice': told({ reference: error, 'reference-2': error }),
      'a solution that fails in one of two runs': told({ reference: paid, 'reference-2': error }),
      'several solutions': told({ reference: error, 'route-2': error, 'reference-own': error }),
      'a solution whose selector matches nothing, at the start neither': told({
        reference: { ...start, judged, judgedStart: judged },
      }),
      'a solution whose selector matches nothing': told({ reference: { ...start, judged, judgedStart: null } }),
      'a near-miss that passes': told({ 'near-miss-1': paid }),
      'a near-miss that was not carried out': told({ 'near-miss-1': early }),
      'a near-miss on a task at fault': told({ 'near-miss-1': at('https://shop.test/', 'invalid_task') }),
      'a start at which a guard does not hold': told({ null: at('https://shop.test/', 'invalid_task', true) }),
      'a start at which success holds': told({ null: at('https://shop.test/paid', 'invalid_task') }),
      'a control that passes': told({ null: paid }),
      'a control and a near-miss that pass': told({ null: paid, 'near-miss-1': paid }),
      'ends that were perturbed and are right': told({ 'perturbed-1': paid, 'perturbed-2': paid }),
      'one of them is not right': told(
        { 'perturbed-1': paid, 'perturbed-2': paid },
        { ...NONE, passed: ['step 2 dropped'] },
      ),
      'one that is correct fails': told(
        { 'perturbed-1': paid, 'perturbed-2': other },
        { ...NONE, failed: ['perturbed-2'] },
      ),
      'an answer that is right without its page': told({ 'near-miss-1': paid, null: paid }, NONE, () => ({
        difference: 'it ended elsewhere',
        notOpened: { url: "https://shop.test/it's?a=1", status: 200 },
      })),
    }),
  ).toMatchFileSnapshot('golden/judged-otherwise.txt');
});

test('a guard that a correct end breaks may be one that the app breaks on every visit', () => {
  const state = { what: 'the solution', failedStep: null, difference: null, notOpened: null, reasons: [] };
  const clause = { name: 'guards (unchanged)', kind: 'unchanged', expected: 'the app state is unchanged', came: null };
  const linesOf = (must: 'pass' | 'fail', verdict: 'pass' | 'fail'): string =>
    otherwiseLines('pay', [{ ...state, must, clauses: [{ ...clause, verdict }] }]).join('\n');
  expect(linesOf('pass', 'fail')).toContain('add them to "except" of the guard');
  expect(linesOf('fail', 'pass')).not.toContain('"except"');
});
