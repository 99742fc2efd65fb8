import { expect, test } from 'vitest';
import { drawClaims } from '../../src/claim/claims.ts';
import type { ClaimFacts } from '../../src/claim/claim-facts.ts';
import { competitiveSentence } from '../../src/report/report.ts';
import { barredComparisons, timeClaimText } from '../../src/report/decisions.ts';
import type { Block } from '../../src/report/document.ts';
import { htmlSection } from '../../src/report/html/blocks.ts';
import { markdownBlocks } from '../../src/report/markdown.ts';
import { recoverySection, signInSection } from '../../src/report/sections/axes.ts';
import { claimBlocks, claimSection, taskGradeBlocks } from '../../src/report/sections/claims.ts';
import { FIRED, PASSED } from '../bundle/sample-row.ts';
import { changedLines, textsOf } from '../cli/texts-of.ts';
import {
  attemptedAgain,
  completionOf,
  eligibleFacts,
  SECOND,
  withRows,
  withTaskFacts,
} from '../claim/eligible-facts.ts';

const CALM = eligibleFacts();
const RERUN = { attempt: 2, retries: 1 };
const MOCK = { mode: 'mock', endpoint_kind: 'mock' } as const;
const UNPROVEN = { qualification_hash: null };
const WAIVERS = [{ mutant: 'success.children.0:drop', reason: 'the app has no other' }];

function drawn(facts: ClaimFacts) {
  const { claims, eligible } = drawClaims(completionOf(facts), 1);
  return { claims, headlines: eligible.map(competitiveSentence) };
}

const inMarkdown = (blocks: readonly (Block | null)[]): string =>
  markdownBlocks(blocks.filter((block) => block !== null)).join('\n');
const textOf = (facts: ClaimFacts): string => inMarkdown(claimBlocks(drawn(facts).claims));
const OF_CALM = textOf(CALM);

test('claims allowed, and the effect of a reason or a waiver', async () => {
  const one = eligibleFacts({ templates: 1 });
  // Too few for a headline, which has its waivers in itself.
  const two = eligibleFacts({ templates: 2, repetitions: 9 });
  const scripted = { mode: 'scripted', decider: 'reference' } as const;
  const controls = withRows(CALM, { mode: 'control', decider: 'control' }, 'second');
  const changed = (facts: ClaimFacts, usual = OF_CALM) => changedLines(usual, textOf(facts));
  await expect(
    textsOf({
      'nothing stands against it': OF_CALM.split('\n'),
      'each was run again as often': changed(attemptedAgain(CALM, 10)),
      'one alone was run again': changed(withRows(CALM, RERUN, 'second')),
      'each has the same reason': changed(withRows(CALM, UNPROVEN)),
      'a control passed the task in its proof, which is not current': changed(
        withTaskFacts(withRows(one, UNPROVEN), { trivial_by: ['teleport'] }),
        textOf(one),
      ),
      'two findings of one reason': changed(withRows(controls, scripted, 'first')),
      'ends that were made wrong on purpose passed': changed(
        withTaskFacts(eligibleFacts({ templates: 2 }), { perturbed: { judged: 18, passed: 1 } }),
        textOf(eligibleFacts({ templates: 2 })),
      ),
      'waivers of two tasks': changed(withTaskFacts(two, { waivers: WAIVERS }), textOf(withTaskFacts(two, {}))),
    }),
  ).toMatchFileSnapshot('golden/decisions.txt');
});

test('the reason of a waiver with markup is text in the page', () => {
  const waivers = [{ mutant: 'success:drop', reason: '<img src=x onerror=alert(1)>' }];
  const section = claimSection(drawn(withTaskFacts(eligibleFacts({ templates: 1 }), { waivers })));
  expect(String(htmlSection(section))).not.toContain('<img');
  expect(String(htmlSection(section))).toContain('because &lt;img');
});

test.each(['fault_recovery', 'authentication'] as const)(
  'a claim on the axis %s is in its section, and not in that of task completion',
  async (axis) => {
    const edit = axis === 'authentication' ? { auth: { by: 'form' as const } } : { faults: [FIRED], recovered: true };
    const own = withRows(eligibleFacts({ templates: 10 }), { ...PASSED, ...edit });
    const claimsOf = (facts: ClaimFacts) => drawClaims({ ...completionOf(CALM), [axis]: facts }, 1).claims;
    const textOn = (facts: ClaimFacts): string => {
      const of = { claims: claimsOf(facts), agents: [] };
      const section =
        axis === 'authentication'
          ? signInSection({ ...of, sign_in: { entrants: [], setups: [] } })
          : recoverySection({ ...of, stress: [] });
      return inMarkdown(section.blocks);
    };
    const [usual, uneven] = [textOn(own), withRows(own, RERUN, 'second')];
    await expect(
      textsOf({
        'nothing stands against it': usual.split('\n'),
        'one alone was run again': changedLines(usual, textOn(uneven)),
        'a waiver': changedLines(usual, textOn(withTaskFacts(own, { waivers: WAIVERS }))),
      }),
    ).toMatchFileSnapshot(`golden/decisions-${axis}.txt`);
    expect(inMarkdown(claimBlocks(claimsOf(uneven)))).toBe(OF_CALM);
  },
);

test('the grades of single tasks are primary from 20 repetitions on, and differ between entrants', async () => {
  const ofTask = (repetitions: number) => eligibleFacts({ templates: 1, repetitions });
  const gradesOf = (facts: ClaimFacts) => inMarkdown(taskGradeBlocks(drawn(facts).claims)).split('\n');
  expect(drawn(ofTask(19)).claims.entrants.map(({ aggregate }) => aggregate.grade)).toEqual(['primary', 'primary']);
  await expect(
    textsOf({
      '20 repetitions': gradesOf(ofTask(20)),
      '19 repetitions': gradesOf(ofTask(19)),
      'one of two with a mock': gradesOf(withRows(ofTask(20), MOCK, 'second')),
    }),
  ).toMatchFileSnapshot('golden/task-grades.txt');
});

test('pairs with the same reasons are listed together', () => {
  const third = { ...SECOND, agent: 'third' };
  const rows = [...CALM.rows, ...withRows(CALM, third, 'second').rows.filter(({ agent }) => agent === third.agent)];
  const facts = { ...CALM, rows, plan: { ...CALM.plan, entrants: [...CALM.plan.entrants, third] } };
  const { claims } = drawn(withRows(facts, { contract_hash: 'a'.repeat(64) }, third.agent));
  const barred = barredComparisons(claims, 'task_completion').map(({ pairs, reasons }) => [
    pairs,
    reasons.map(({ code }) => code),
  ]);
  expect(barred).toEqual([
    [['first through aria, third through aria', 'second through aria, third through aria'], ['other_contracts']],
  ]);
});

test('entrants whose times may be claimed', async () => {
  const timesOf = (facts: ClaimFacts) => [timeClaimText(drawn(facts).claims)];
  const atOnce = { concurrency: { workers: 4, load_average: 1, cores: 2 } };
  await expect(
    textsOf({
      'one episode at a time': timesOf(CALM),
      'those of one entrant ran at once': timesOf(withRows(CALM, atOnce, 'second')),
      'all ran at once': timesOf(withRows(CALM, atOnce)),
      'nothing may be claimed': timesOf(withRows(CALM, MOCK)),
    }),
  ).toMatchFileSnapshot('golden/time-claims.txt');
});
