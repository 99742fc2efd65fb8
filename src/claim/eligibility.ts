import { z } from 'zod';
import { Fact } from '../messages/message.ts';
import { wilsonInterval } from '../stats/proportion.ts';
import { type ClaimFacts, Question, WaivedMutant } from './claim-facts.ts';
import { Whole } from './figure-fields.ts';
import type { FiguredRow } from './figured-row.ts';
import { isOf } from './figures.ts';
import { cellOf, clusterCount, distinct, those } from './group.ts';
import { ran } from './honesty.ts';
import { POLICY } from './policy.ts';
import { CLAIM_RULES, type ReasonCode } from './reasons.ts';

/** `scaffold`: of the harness itself; `smoke`: too few repetitions; `diagnostic`: explains, and does not rank. */
const Grade = z.enum(['primary', 'diagnostic', 'scaffold', 'smoke']);
export type Grade = z.infer<typeof Grade>;

const Reason = z.strictObject({ ...Fact.shape, code: z.enum(CLAIM_RULES.map(({ code }) => code)) });
export type Reason = z.infer<typeof Reason>;

/** Incorrect end states that proofs tried, and those that passed. */
const FalsePasses = z.strictObject({
  judged: Whole,
  passed: Whole,
  /** Upper end of the 95 % interval (Wilson); null if none was tried. */
  upper: z.number().nullable(),
  /** The tasks whose contracts pass some; absent if none does. */
  passed_in: z.array(z.string()).exactOptional(),
});
type FalsePasses = z.infer<typeof FalsePasses>;

/** Whether a claim may be made, and every reason against it. */
export const Decision = z.strictObject({
  policy_version: z.literal(POLICY.version),
  question: Question,
  grade: Grade,
  /** The population that a claim is about: tasks like these, or these alone because they are few. */
  scope: z.enum(['tasks like these', 'these tasks only']),
  reasons: z.array(Reason),
  /** Waivers in the proofs of the claim, printed with it. */
  waivers: z.array(WaivedMutant),
  false_passes: FalsePasses,
});
export type Decision = z.infer<typeof Decision>;

/** Decides by the policy, as a pure function of the facts. */
export function decide(question: Question, facts: ClaimFacts): Decision {
  const isAsked = (row: FiguredRow): boolean => question.entrants.some((each) => isOf(each, row));
  const rows = those(facts.rows, isAsked);
  const episodes = those(rows, ran);
  const asked = {
    ...facts,
    rows,
    episodes,
    voided: facts.voided.filter(isAsked),
    oneSided: facts.oneSided.filter(isAsked),
  };
  const reasons = CLAIM_RULES.flatMap(({ code, against }) => {
    const params = against(question, asked);
    return params === null ? [] : [{ code, params }];
  });
  const templates = clusterCount(episodes);
  return {
    policy_version: POLICY.version,
    question,
    grade: gradeOf(reasons.map(({ code }) => code)),
    scope: templates >= POLICY.least_templates ? 'tasks like these' : 'these tasks only',
    reasons,
    waivers: waiversOf(episodes, facts),
    false_passes: falsePassesOf(episodes, facts),
  };
}

function waiversOf(rows: readonly FiguredRow[], { tasks }: ClaimFacts): WaivedMutant[] {
  return [...distinct(rows, cellOf)].flatMap((task) =>
    (tasks.get(task)?.waivers ?? []).map((waiver) => ({ task, ...waiver })),
  );
}

function falsePassesOf(rows: readonly FiguredRow[], { tasks }: ClaimFacts): FalsePasses {
  const proofs = [...distinct(rows, cellOf)].flatMap((task) => {
    const perturbed = tasks.get(task)?.perturbed;
    return perturbed === undefined ? [] : [{ task, ...perturbed }];
  });
  const judged = proofs.reduce((sum, proof) => sum + proof.judged, 0);
  const passed = proofs.reduce((sum, proof) => sum + proof.passed, 0);
  const passedIn = proofs.flatMap((proof) => (proof.passed === 0 ? [] : [proof.task]));
  const upper = wilsonInterval(passed, judged)?.high ?? null;
  return { judged, passed, upper, ...(passedIn.length === 0 ? {} : { passed_in: passedIn }) };
}

function gradeOf(codes: readonly ReasonCode[]): Grade {
  if (codes.length === 0) return 'primary';
  if (codes.includes('harness_mode')) return 'scaffold';
  return codes.includes('too_few_repetitions') ? 'smoke' : 'diagnostic';
}
