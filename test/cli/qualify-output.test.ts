import path from 'node:path';
import { expect, test } from 'vitest';
import { finishRow, type Row } from '../../src/bundle/row.ts';
import {
  changedText,
  endsAdvice,
  falsePassesText,
  missesText,
  mutantAdvice,
  reasonsToShow,
  volatileText,
  weakenedText,
} from '../../src/cli/qualify-words.ts';
import { proofsLine } from '../../src/cli/proofs-line.ts';
import { progressOn } from '../../src/cli/qualify-progress.ts';
import { mutantsOf } from '../../src/contract/mutants.ts';
import { readQualification } from '../../src/plan/qualification.ts';
import { proofOfTrials } from '../../src/plan/task-qualification.ts';
import { type TrialFacts, TimeLeft } from '../../src/qualify/listener.ts';
import { SAMPLE } from '../bundle/sample-row.ts';
import { SOUND } from '../plan/sound-trials.ts';
import { terminalOf } from './terminal-of.ts';
import { textsOf } from './texts-of.ts';

const PERTURBED = { judged: 0, right: { passed: 0, of: 0 }, inconclusive: 0, false_passes: [] };
const [FAILING, PASSING] = [
  { passed: 0, of: 3 },
  { passed: 3, of: 3 },
];
const miss = (status: string) => ({ why: 'not saved', status });
const nothingTried = { near_misses: [miss('not tried')], mutants: [], perturbed: PERTURBED };

test('the reasons against a task', async () => {
  const reasons = (trials: object) => reasonsToShow(proofOfTrials({ ...SOUND, ...trials }));
  const falsePasses = proofOfTrials({
    ...SOUND,
    near_misses: [miss('passed')],
    perturbed: { ...SOUND.perturbed, false_passes: ['step 1 dropped', 'step 2 dropped'] },
  });
  const toldByClause = [
    'the near-miss "not saved" came to passed and not to failed',
    'passed, and its end state is not a right one: step 1 dropped',
  ];
  const survivor = { mutant: 'guards:drop', killed_by: null, seen: true, waived: null };
  const untried = { ...nothingTried, reference: FAILING };
  await expect(
    textsOf({
      'a near-miss that passed': reasons({ near_misses: [miss('passed')] }),
      'a near-miss that could not be carried out': reasons({ near_misses: [miss('agent_error')] }),
      'a start that is done': reasons({ start_fault: 'it is done' }),
      'a weakened contract that survived': reasons({ mutants: [survivor] }),
      'no weakened contract, as the solution never passed': reasons({ reference: FAILING, mutants: [] }),
      'no weakened contract, as none can be made': reasons({ mutants: [] }),
      'false passes': reasonsToShow(falsePasses),
      'false passes without those that are explained by clause': reasonsToShow(falsePasses, [
        { reasons: toldByClause },
      ]),
      'a solution that never passed, and nothing else tried': reasons({ ...untried, controls: { null: 'failed' } }),
      'a solution that never passed, and all else tried': reasons(untried),
      'a solution that passed, and nothing else tried': reasons({ ...nothingTried, controls: { null: 'failed' } }),
    }),
  ).toMatchFileSnapshot('golden/qualify-reasons.txt');
});

test('the cells and notes of the table of proofs', async () => {
  const changed = (more: object, reference = PASSING) => [
    changedText(proofOfTrials({ ...SOUND, reference, perturbed: { ...PERTURBED, ...more } })),
  ];
  const caught = { mutant: 'a', killed_by: 'null', seen: true, waived: null };
  const waived = { mutant: 'b', killed_by: null, seen: null, waived: 'so' };
  const bound = (perturbed: object, asked: number) => [
    falsePassesText([proofOfTrials({ ...SOUND, perturbed: { ...PERTURBED, ...perturbed } })], asked) ?? '(none)',
  ];
  await expect(
    textsOf({
      'near-misses': [[miss('not tried'), miss('not tried')], [miss('failed'), miss('agent_error')], []].map(
        missesText,
      ),
      'what changes by itself': [FAILING, PASSING].map((reference) => volatileText({ volatile: ['/now'], reference })),
      'incorrect ends, none passed': changed({ judged: 9 }),
      'an incorrect end that passed': changed({ judged: 1, false_passes: ['a dropped step'] }),
      'right and undecided ends': changed({ judged: 2, right: { passed: 1, of: 1 }, inconclusive: 8 }),
      'no ends': changed({}),
      'ends of a solution that never passed': changed({ judged: 11 }, FAILING),
      'weakened contracts': [[caught, { ...caught, seen: false }, waived], [caught], []].map(weakenedText),
      'the bound of false passes, with more perturbations to try': bound({ judged: 7 }, 7),
      'the bound of false passes, with no more to try': bound({ judged: 7 }, 20),
      'no bound without incorrect ends': bound({}, 20),
      'the bound of tasks that qualify, and what others let pass': [
        falsePassesText(
          [48, 9].map((judged) =>
            proofOfTrials({
              ...SOUND,
              perturbed: { ...PERTURBED, judged, false_passes: judged === 9 ? ['step 1 dropped'] : [] },
            }),
          ),
          20,
        ) ?? '(none)',
      ],
    }),
  ).toMatchFileSnapshot('golden/qualify-table.txt');
});

test('the advice of qualify', async () => {
  const NOTHING = { state: false, sent: false, answer: false, address: false };
  const noIncorrect = { judged: 0, right: { passed: 0, of: 0 }, inconclusive: 8 };
  const failedCorrect = { judged: 3, right: { passed: 4, of: 10 }, inconclusive: 0 };
  const sound = { judged: 3, right: { passed: 2, of: 2 }, inconclusive: 8 };
  const contract = {
    success: {
      kind: 'and',
      children: [
        { kind: 'url', pattern: 'x' },
        { kind: 'not', child: { kind: 'dom_text', selector: 'p', equals: 'x' } },
      ],
    },
    guards: { kind: 'no_dialog' },
  } as const;
  const { success, guards } = contract;
  const mutants = mutantsOf({ success: { ...success, children: [...success.children] }, guards });
  await expect(
    textsOf({
      'a task that leaves only its page': endsAdvice(noIncorrect, NOTHING),
      'no incorrect end of a task that leaves state': endsAdvice(noIncorrect, { ...NOTHING, state: true }),
      'failed correct ends by answer and address': endsAdvice(failedCorrect, {
        ...NOTHING,
        answer: true,
        address: true,
      }),
      'failed correct ends by state': endsAdvice(failedCorrect, { ...NOTHING, state: true, sent: true, address: true }),
      'failed correct ends by requests': endsAdvice(failedCorrect, { ...NOTHING, sent: true }),
      'a sound task': endsAdvice(sound, NOTHING),
      'a task that was not tried': endsAdvice(noIncorrect, null),
      'each weakened contract': mutants.map(({ name }) => `${name}  ${mutantAdvice(name)}`),
      'a looser form': [mutantAdvice('success.children.1:contains')],
      'guards that except everything': [mutantAdvice('guards:drop', { except: ['/guests'], changed: ['/guests/1'] })],
    }),
  ).toMatchFileSnapshot('golden/qualify-advice.txt');
});

test('the lines about trials', async () => {
  const STEP = 'step 1 of the solution failed: there is no option "Gray"';
  const PASSED = { status: 'passed', goal_verdict: 'pass', failed_contract: null, failure_category: null } as const;
  const BROKEN = {
    status: 'agent_error',
    stop: 'agent_error',
    detail: 'step 1 failed: there is no option "Gray"',
  } as const;
  const ofSteps = { decider: 'control', mode: 'control', endpoint_kind: 'none', tool_errors: 0 } as const;
  const finished = finishRow({ ...SAMPLE, ...ofSteps, instance: 'default' });
  const trials = (...rows: (Partial<Row> & { facts?: Partial<TrialFacts> })[]): string[] => {
    const { terminal, err } = terminalOf(null);
    const progress = progressOn('shop', terminal);
    for (const { facts, ...row } of rows)
      progress.finished({ ...finished, ...row }, new TimeLeft(0, [], 1), { does: null, failedStep: null, ...facts });
    progress.leftOut('checkout', 18);
    return err();
  };
  const does = (text: string) => ({ facts: { does: text } });
  await expect(
    textsOf({
      'what each does': trials(
        { agent: 'near-miss-2', ...does('the price is that of coffee') },
        { agent: 'perturbed-5', ...does('step 2 dropped') },
        { agent: 'perturbed-1', ...does(`step 1 altered to ${'x'.repeat(300)}`) },
        { agent: 'null-2' },
      ),
      'a near-miss that failed early': trials({ agent: 'near-miss-1', ...BROKEN, ...does('another colour') }),
      'a perturbation that failed early': trials({ agent: 'perturbed-1', ...BROKEN, ...does('step 1 doubled') }),
      'a made route that the page does not offer, and one that failed': trials(
        { agent: 'other-link', ...BROKEN, ...does('another link to the same address') },
        { agent: 'by-keyboard', ...does('the same by keyboard') },
      ),
      'a near-miss that took too many steps': trials({ agent: 'near-miss-1', status: 'max_steps' }),
      'a solution that passed in spite of a failed step': trials({
        agent: 'reference-2',
        ...PASSED,
        tool_errors: 1,
        facts: { failedStep: STEP },
      }),
      'a perturbation that passed in spite of a failed step': trials({
        agent: 'perturbed-4',
        ...PASSED,
        tool_errors: 1,
      }),
      'perturbations that passed': trials(
        { agent: 'perturbed-1', ...PASSED, ...does('step 1 doubled') },
        { agent: 'perturbed-2', ...PASSED, ...does('step 2 doubled') },
      ),
      'a solution that failed in two runs': trials(
        { agent: 'reference', ...BROKEN },
        { agent: 'reference-2', ...BROKEN },
        { agent: 'reference-3', status: 'infra_error' },
      ),
      'a near-miss that passed': trials({ agent: 'near-miss-1', ...PASSED }),
    }),
  ).toMatchFileSnapshot('golden/qualify-trials.txt');
});

test('the line about proofs', async () => {
  const committed = await readQualification({ file: 'suites/basics/suite.yaml' });
  const [good, trivial] = [committed?.tasks['dialog-delete'], committed?.tasks['example-h1']];
  if (good === undefined || trivial === undefined) throw new Error('basics has other tasks now');
  const NONE = new Map<string, string[]>();
  const of = (suite: string, ...tasks: string[]) => tasks.map((task) => ({ suite, task }));
  const app = ['the app (a file in site, or its entry in suite.yaml)'];
  const stale = new Map([
    ['s/a', app],
    ['s/b', app],
    ['s/c', ['the contract', 'its waivers']],
  ]);
  const named = (name: string) => proofsLine(of('s', 'a'), {}, [path.resolve(name)], NONE);
  await expect(
    textsOf({
      'one of one': [proofsLine(of('s', 'a'), { 's/a': good }, ['s'], NONE)],
      'one does not qualify': [proofsLine(of('s', 'a', 'b'), { 's/a': good, 's/b': trivial }, ['s'], NONE)],
      'no proof, in an oddly named suite': [
        proofsLine(of('s', 'a', 'b', 'c', 'd'), { 's/a': good }, ["./my suite's"], NONE),
      ],
      'many without a proof, of two suites': [
        proofsLine([...of('s', 'a', 'b', 'c'), ...of('t', 'a', 'b')], { 's/a': good }, ['s', 't'], NONE),
      ],
      'stale proofs': [proofsLine(of('s', 'a', 'b', 'c', 'd'), {}, ['s'], stale)],
      'suites of the user, by their folders': ['mine/touchstone', '.', 'basics'].map(named),
    }),
  ).toMatchFileSnapshot('golden/proofs.txt');
});
