import { z } from 'zod';
import { fact } from '../messages/messages.ts';
import { addProblem, rule } from '../contract/validation/wording.ts';
import { AGENTS } from '../agent/built-in.ts';
import { Sha256 } from '../bundle/sha256.ts';
import { Semantics } from '../contract/semantics.ts';
import type { Status } from '../contract/status.ts';
import type { Waived } from '../task/suite.ts';

/** `trivial`: a control passes it; `unqualified`: it fails another requirement. */
const QualificationVerdict = z.enum(['qualified', 'trivial', 'unqualified']);

/** Ends of a trial after which the contract's verdict is known. */
const CAME_TO_AN_END: ReadonlySet<string> = new Set<Status>(['passed', 'failed', 'gave_up', 'max_steps', 'timeout']);

/** Agents that are tried on every task, and must not pass. */
export const CONTROLS = AGENTS.flatMap(({ id, decider }) => (decider === 'control' ? [id] : []));

const Count = z.int().min(0);
const Share = z.strictObject({ passed: Count, of: Count }).refine(({ passed, of }) => passed <= of, {
  path: ['passed'],
  error: rule('more_passed_than_tried'),
});

const TriedMutant = z.strictObject({
  mutant: z.string(),
  /** The end state that only the changed contract passes; null without one. */
  killed_by: z.string().nullable(),
  /** Whether that end state was seen in a trial, not made from others. */
  seen: z.boolean().nullable(),
  /** Why nothing needs to kill it. */
  waived: z.string().nullable(),
});
export type TriedMutant = z.infer<typeof TriedMutant>;

const MadeRoute = z.strictObject({
  route: z.string(),
  status: z.string(),
  /** Why it is meant to fail. */
  waived: z.string().nullable(),
});

/** The amount that was tried. */
const Breadth = z.strictObject({
  /** Incorrect ends of changed solutions, near-misses and controls, each different from the others. */
  incorrect_ends: Count,
  /** Other routes, made from the solution, that could be followed to their end. */
  made_routes: z.array(MadeRoute),
});
type Breadth = z.infer<typeof Breadth>;

const Trials = z.strictObject({
  task_hash: Sha256,
  contract_hash: Sha256,
  /** The versions of the kinds in its contracts and their mutants. Absent in old proofs, which are stale. */
  semantics: Semantics.optional(),
  /** SHA-256 of the record of its trials. Absent in proofs from before they were stored. */
  trials: Sha256.optional(),
  /** The clock that it holds for; absent if the task sets none. */
  clock: z.string().optional(),
  start_fault: z.string().nullable(),
  reference: Share,
  other_routes: Share,
  controls: z.record(z.string(), z.string()),
  near_misses: z.array(z.strictObject({ why: z.string(), status: z.string() })),
  mutants: z.array(TriedMutant),
  /** Waivers of mutants that an end state kills, or that do not exist. */
  needless_waivers: z.array(z.string()),
  perturbed: z.strictObject({
    /** Incorrect end states. */
    judged: Count,
    /** End states equal to the reference's, reached by other steps. */
    right: Share,
    /** Episodes without an end state, or cut short at one that is equal to the reference's. */
    inconclusive: Count,
    /** Changes that led to incorrect end states that pass. */
    false_passes: z.array(z.string()),
  }),
  /** Other spellings of the reference's answer, and those that fail. Absent in proofs from before they were tried. */
  spellings: z.strictObject({ tried: Count, failed: z.array(z.string()) }).optional(),
  /** Absent in proofs from before it was counted; null where a campaign pins such a proof. */
  breadth: Breadth.nullable().optional(),
  /** Places in the app's state that differ between two runs without action. */
  volatile: z.array(z.string()),
});
export type TaskTrialsProof = z.infer<typeof Trials>;

const Standing = z.strictObject({
  verdict: QualificationVerdict,
  /** In words; empty if it qualifies. */
  reasons: z.array(z.string()),
});

/** Verdict and reasons follow from the rest, and are refused otherwise. */
export const TaskQualification = z
  .strictObject({ ...Trials.shape, ...Standing.shape })
  .superRefine(({ verdict, reasons, ...trials }, context) => {
    const standing = standingOf(trials);
    const problem = fact('not_from_trials');
    if (verdict !== standing.verdict) addProblem(problem, context, ['verdict']);
    if (JSON.stringify(reasons) !== JSON.stringify(standing.reasons)) addProblem(problem, context, ['reasons']);
  });
export type TaskQualification = z.infer<typeof TaskQualification>;

export function proofOfTrials(trials: TaskTrialsProof): TaskQualification {
  return { ...trials, ...standingOf(trials) };
}

export function waiversIn({ mutants, breadth }: Pick<TaskQualification, 'mutants' | 'breadth'>): Waived[] {
  const routes = breadth?.made_routes.map((each) => ({ mutant: waiverOfRoute(each.route), waived: each.waived })) ?? [];
  return [...mutants, ...routes].flatMap(({ mutant, waived }) => (waived === null ? [] : [{ mutant, reason: waived }]));
}

/** The name by which a waiver declares that a route is meant to fail. */
export function waiverOfRoute(route: string): string {
  return `route:${route}`;
}

/**
 * The least that a proof has to try. With 8 incorrect ends and no false pass, the 95 % interval of their rate ends at 32 %: at least
 * two of three such ends are rejected. With a single route, nothing shows that the contract accepts another way.
 */
export const FLOOR = { incorrect_ends: 8, correct_routes: 2 } as const;

/** Routes that ought to pass, and those that did: the solution once, other solutions, made routes, changed solutions with a correct end. */
export function routesIn({
  reference,
  other_routes: other,
  perturbed,
  breadth,
}: TaskTrialsProof): z.infer<typeof Share> {
  const own = reference.of === 0 ? [] : [{ passed: reference.passed === reference.of ? 1 : 0, of: 1 }];
  const made = breadth?.made_routes.map(({ status }) => ({ passed: status === 'passed' ? 1 : 0, of: 1 })) ?? [];
  const all = [...own, other, ...made, perturbed.right];
  return {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    of: all.reduce((sum, { of }) => sum + of, 0),
  };
}

/** Counts of a proof below the floor (`ends` is null if they were not counted); null if it is not below. */
export function thinness(proof: TaskTrialsProof): { ends: number | null; routes: number } | null {
  const [ends, routes] = [proof.breadth?.incorrect_ends ?? null, routesIn(proof).passed];
  const isThin = ends === null || ends < FLOOR.incorrect_ends || routes < FLOOR.correct_routes;
  return isThin ? { ends, routes } : null;
}

/** Proof as a campaign pins it: one from before breadth was counted is marked as such, and so is thin. */
export function pinnable(proof: TaskQualification): TaskQualification {
  return { ...proof, breadth: proof.breadth ?? null };
}

/** Whether a pinned proof is thin. One that was pinned before there was a floor is judged as it was then. */
export function isPinnedThin(proof: TaskQualification | undefined): boolean {
  return proof?.breadth !== undefined && proof.verdict === 'qualified' && thinness(proof) !== null;
}

export function passingControls({ controls }: Pick<TaskTrialsProof, 'controls'>): string[] {
  return Object.entries(controls).flatMap(([id, status]) => (status === 'passed' ? [id] : []));
}

function standingOf(trials: TaskTrialsProof): z.infer<typeof Standing> {
  const reasons = reasonsAgainst(trials);
  const isTrivial = passingControls(trials).length > 0;
  return {
    verdict: isTrivial ? 'trivial' : reasons.length === 0 ? 'qualified' : 'unqualified',
    reasons,
  };
}

function reasonsAgainst({ controls, near_misses: misses, perturbed, ...trials }: TaskTrialsProof): string[] {
  const passing = passingControls({ controls });
  // A trial that broke down or was left out proves nothing.
  const untried = [...new Set([...CONTROLS, ...Object.keys(controls)])].filter(
    (id) => !CAME_TO_AN_END.has(controls[id] ?? ''),
  );
  const wrong = misses.filter(({ status }) => status !== 'failed');
  const survivors = trials.mutants.filter(({ killed_by: by, waived }) => by === null && waived === null);
  return [
    ...(trials.start_fault === null ? [] : [`the start is not as required: ${trials.start_fault}`]),
    ...referenceFaults(trials.reference),
    ...unlessAll(trials.other_routes, 'another solution passed'),
    ...unlessAll(perturbed.right, 'other steps to the end state of the reference passed'),
    ...(passing.length === 0 ? [] : [`trivial: ${passing.join(', ')} passed`]),
    ...untried.map(untriedReason),
    // Steps that cannot be carried out prove nothing about the contract.
    ...wrong.map(nearMissReason),
    ...(trials.mutants.length === 0 ? [NO_MUTANT] : []),
    ...survivors.map(survivorReason),
    ...(perturbed.judged === 0 ? [NO_INCORRECT_END] : []),
    ...perturbed.false_passes.map(falsePassReason),
    ...(trials.spellings?.failed ?? []).map(spellingReason),
    ...(trials.breadth?.made_routes ?? []).flatMap(({ route, status, waived }) =>
      status === 'passed' || waived !== null ? [] : [madeRouteReason(route, status)],
    ),
    ...trials.needless_waivers.map((mutant) => `the waiver of ${mutant} is needless, take it away`),
  ];
}

// Reasons as proofs hold them: other words would refuse earlier proofs.
export const NO_MUTANT = 'no change of the contract was tried';
export const NO_INCORRECT_END = 'no end state that is not right was tried';

/** The status of a near-miss that was left out. */
export const NOT_TRIED = 'not tried';

export function untriedReason(control: string): string {
  return `${control} could not be tried`;
}

export function survivorReason({ mutant }: Pick<TaskTrialsProof['mutants'][number], 'mutant'>): string {
  return `no end state tells ${mutant} from the contract`;
}

export function nearMissReason({ why, status }: TaskTrialsProof['near_misses'][number]): string {
  return `the near-miss "${why}" came to ${status} and not to failed`;
}

export function falsePassReason(what: string): string {
  return `passed, and its end state is not a right one: ${what}`;
}

export function madeRouteReason(route: string, status: string): string {
  return `the solution ${route} ended as ${status}: let it pass, or waive ${waiverOfRoute(route)}`;
}

function spellingReason(spelling: string): string {
  return `the answer fails as ${JSON.stringify(spelling)}, which means the same: give it a type, or exact: true`;
}

function referenceFaults(reference: z.infer<typeof Share>): string[] {
  return reference.of === 0 ? ['it has no solution to be tried'] : unlessAll(reference, 'the reference passed');
}

function unlessAll({ passed, of }: z.infer<typeof Share>, what: string): string[] {
  return passed === of ? [] : [`${what} ${passed} of ${of} times`];
}
