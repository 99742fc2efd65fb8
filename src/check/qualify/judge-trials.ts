import type { Row } from '../../bundle/row.ts';
import type { PlannedTask } from '../../campaign/plan.ts';
import type { TaskQualification, TriedMutant } from '../../campaign/qualification.ts';
import type { Evidence } from '../../contract/evidence.ts';
import { differences, liesUnder } from '../../contract/json-pointer.ts';
import { judgeTask, type TaskContracts } from '../../contract/judge-task.ts';
import type { Contract } from '../../contract/schema.ts';
import type { Waived } from '../../task/suite.ts';
import { wilsonInterval } from '../../stats/wilson.ts';
import { alteredStates } from './altered-states.ts';
import { distinct, type EndState, mixedStates } from './end-states.ts';
import { mutantsOf } from './mutants.ts';
import type { Perturbation } from './perturbations.ts';
import { isRightEnd, type RightEnd } from './right-end.ts';
import type { Trials } from './trials.ts';

/** One episode of a trial, with what was captured; null where nothing was. */
export interface Tried {
  row: Row;
  start: Evidence | null;
  end: Evidence | null;
}

/** All that was tried on one task. */
export interface TaskTrials {
  planned: PlannedTask;
  trials: Trials;
  /** By agent. */
  tried: ReadonlyMap<string, Tried>;
  perturbations: readonly Perturbation[];
  waivers: readonly Waived[];
}

/** What the trials of a task prove, judged on stored evidence alone: the same evidence gives the same proof. */
export function judgeTrials(task: TaskTrials): TaskQualification {
  const { planned, trials, tried, waivers } = task;
  const statuses = (agents: readonly string[]) => agents.flatMap((agent) => statusOf(tried.get(agent)));
  const right = trials.reference.map((agent) => tried.get(agent)).find((each) => each?.row.status === 'passed');
  const share = (agents: readonly string[]) => ({
    passed: statuses(agents).filter((status) => status === 'passed').length,
    of: statuses(agents).length,
  });
  const volatile = volatilePaths(task);
  const proof = {
    task_hash: planned.task_hash,
    contract_hash: planned.contract_hash,
    reference: share(trials.reference),
    other_routes: share(trials.routes),
    controls: Object.fromEntries(trials.controls.flatMap((id) => statuses([id]).map((status) => [id, status]))),
    near_misses: (planned.task.nearMisses ?? []).map(({ why }, index) => ({
      why,
      status: statuses(trials.nearMisses.slice(index, index + 1))[0] ?? 'not tried',
    })),
    mutants: right?.end == null ? [] : mutantsTried(task, right.end),
    perturbed: perturbedStates(task, right, volatile),
    volatile,
  };
  const reasons = [...startFaults(task), ...reasonsAgainst(proof, trials), ...needlessWaivers(proof.mutants, waivers)];
  const isTrivial = Object.values(proof.controls).includes('passed');
  return { ...proof, verdict: isTrivial ? 'trivial' : reasons.length === 0 ? 'qualified' : 'unqualified', reasons };
}

/** A cell that cannot be run was not tried. */
function statusOf(tried: Tried | undefined): string[] {
  return tried === undefined || tried.row.status === 'not_applicable' ? [] : [tried.row.status];
}

function startFaults({ tried }: TaskTrials): string[] {
  const off = [...tried.values()].map(({ row }) => row).find(({ status }) => status === 'invalid_task');
  if (off === undefined) return [];
  return [`the start is not as required: ${off.detail ?? 'success must fail there, and guards must pass'}`];
}

type Proof = Omit<TaskQualification, 'verdict' | 'reasons'>;

function reasonsAgainst(
  { reference, other_routes: routes, controls, near_misses: misses, ...proof }: Proof,
  trials: Trials,
) {
  const passing = Object.entries(controls).flatMap(([id, status]) => (status === 'passed' ? [id] : []));
  const untried = Object.entries(controls).filter(([, status]) => status === 'infra_error');
  const wrong = misses.filter(({ status }) => status !== 'failed');
  const survivors = proof.mutants.filter(({ killed_by: by, waived }) => by === null && waived === null);
  return [
    ...(reference.passed === trials.reference.length
      ? []
      : [`the reference passed ${reference.passed} of ${trials.reference.length} times`]),
    ...(routes.passed === routes.of ? [] : [`another solution passed ${routes.passed} of ${routes.of}`]),
    ...(passing.length === 0 ? [] : [`trivial: ${passing.join(', ')} passed`]),
    ...untried.map(([id]) => `${id} could not be tried`),
    // Steps that cannot be carried out prove nothing about the contract.
    ...wrong.map(({ why, status }) => `the near-miss "${why}" came to ${status} and not to failed`),
    ...survivors.map(({ mutant }) => `no end state tells ${mutant} from the contract`),
    ...proof.perturbed.false_passes.map((what) => `passed, and its end state is not a right one: ${what}`),
  ];
}

function needlessWaivers(mutants: readonly TriedMutant[], waivers: readonly Waived[]): string[] {
  const used = new Set(mutants.filter(({ waived }) => waived !== null).map(({ mutant }) => mutant));
  const needless = waivers.filter(({ mutant }) => !used.has(mutant));
  return needless.map(({ mutant }) => `the waiver of ${mutant} is needless, take it away`);
}

/** Holds each mutant against all end states; what was seen comes before what was made from it. */
function mutantsTried({ planned, tried, waivers }: TaskTrials, right: Evidence): TriedMutant[] {
  const { task, screenshot_classes: screenshotClasses } = planned;
  const passes = (contracts: TaskContracts, evidence: Evidence): boolean => {
    const { goal, guard } = judgeTask(contracts, evidence, { screenshotClasses });
    return goal === 'pass' && guard === 'pass';
  };
  const seen = distinct([...tried].flatMap(([agent, each]) => statesOf(agent, each)));
  const mixed = mixedStates({ name: 'the reference', evidence: right }, seen);
  const states = [...seen, ...mixed, ...alteredStates(right)];
  const failing = states.filter(({ evidence }) => !passes(task, evidence));
  return mutantsOf(task).map(({ name, contracts }) => {
    const killer = failing.find(({ evidence }) => passes(contracts, evidence))?.name ?? null;
    const waiver = killer === null ? waivers.find(({ mutant }) => mutant === name) : undefined;
    return { mutant: name, killed_by: killer, waived: waiver?.reason ?? null };
  });
}

function statesOf(agent: string, { start, end }: Tried): EndState[] {
  return [
    ...(start === null ? [] : [{ name: 'the start', evidence: start }]),
    ...(end === null ? [] : [{ name: agent, evidence: end }]),
  ];
}

function endOf({ row, end }: Tried): RightEnd {
  return { answer: row.answer, finalUrl: row.final_url, evidence: end };
}

function perturbedStates(
  { trials, tried, perturbations }: TaskTrials,
  right: Tried | undefined,
  volatile: readonly string[],
): Proof['perturbed'] {
  const ended = trials.perturbed.flatMap((agent, index) => {
    const [each, perturbation] = [tried.get(agent), perturbations[index]];
    return each?.end == null || perturbation === undefined ? [] : [{ each, what: perturbation.what }];
  });
  const wrong = ended.filter(({ each }) => right === undefined || !isRightEnd(endOf(each), endOf(right), volatile));
  const falsePasses = wrong.filter(({ each: { row } }) => row.goal_verdict === 'pass' && row.guard_verdict === 'pass');
  return {
    judged: wrong.length,
    right: ended.length - wrong.length,
    false_passes: falsePasses.map(({ what }) => what),
    false_pass_upper: wilsonInterval(falsePasses.length, wrong.length)?.high ?? null,
  };
}

/** What differs between two runs in which nothing was done, and no guard has excepted. */
function volatilePaths({ planned, trials, tried }: TaskTrials): string[] {
  const [first, second] = trials.idle.map((agent) => tried.get(agent)?.end?.app_state);
  if (first?.captured !== true || second?.captured !== true) return [];
  const { guards } = planned.task;
  const excepted = guards === undefined ? [] : exceptions(guards);
  const found = differences(first.value.now, second.value.now);
  return found.filter((pointer) => !excepted.some((pattern) => liesUnder(pointer, pattern)));
}

function exceptions(contract: Contract): string[] {
  if (contract.kind === 'unchanged') return contract.except ?? [];
  return contract.kind === 'and' ? contract.children.flatMap(exceptions) : [];
}
