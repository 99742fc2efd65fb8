import type { PlannedTask } from '../plan/plan.ts';
import { NOT_TRIED, proofOfTrials, type TaskQualification, type TriedMutant } from '../plan/task-qualification.ts';
import type { Evidence } from '../contract/evidence.ts';
import { differences, liesUnder } from '../contract/json-pointer.ts';
import { judgeTask, type TaskContracts } from '../contract/judge-task.ts';
import { mutantsOf } from '../contract/mutants.ts';
import { semanticsOf } from '../contract/semantics.ts';
import { proofHash } from '../task/schema.ts';
import type { Waived } from '../task/suite.ts';
import { alteredStates, distinctStates, type EndState, mixedStates } from './end-states.ts';
import type { Perturbation } from './perturbations.ts';
import { isRightEnd, type Left, leftBy, type RightEnd } from './right-end.ts';
import type { Trials, Tried } from './trials.ts';
import { isRecord } from '../contract/validation/record.ts';
import type { Contract } from '../contract/schema.ts';

/** All that was tried on one task. */
export interface TaskTrials {
  planned: PlannedTask;
  trials: Trials;
  /** By the names of the trials, in their order; without those that cannot be made. */
  tried: ReadonlyMap<string, Tried>;
  perturbations: readonly Perturbation[];
  waivers: readonly Waived[];
}

/** Proves a task from its stored trials alone: the same evidence gives the same proof. */
export function judgeTrials(task: TaskTrials): TaskQualification {
  const { planned, trials, tried, waivers } = task;
  const statuses = (ids: readonly string[]) => ids.flatMap((id) => tried.get(id)?.status ?? []);
  const right = passedReference(task);
  const share = (ids: readonly string[]) => ({
    passed: statuses(ids).filter((status) => status === 'passed').length,
    of: statuses(ids).length,
  });
  const mutants = right?.end == null ? [] : mutantsTried(task, right.end);
  return proofOfTrials({
    task_hash: proofHash(planned.task),
    contract_hash: planned.contract_hash,
    semantics: semanticsOf(planned.task),
    start_fault: startFault(task),
    reference: share(trials.reference),
    other_routes: share([...trials.routes, ...trials.toolRoutes.map(({ id }) => id)]),
    controls: Object.fromEntries(trials.controls.flatMap((id) => statuses([id]).map((status) => [id, status]))),
    near_misses: (planned.task.nearMisses ?? []).map(({ why }, index) => ({
      why,
      status: statuses(trials.nearMisses.slice(index, index + 1))[0] ?? NOT_TRIED,
    })),
    mutants,
    needless_waivers: needlessWaivers(mutants, waivers),
    ...perturbedStates(task, right),
  });
}

/** By what the end of a task's solution can be told from others; null where none of its trials passed. */
export function leftByReference(task: TaskTrials): Left | null {
  const right = passedReference(task);
  return right === undefined ? null : leftBy(endOf(right, task.planned.task.startUrl), pathsThatChange(task));
}

/** The exceptions of a task's guards, where they leave nothing to be guarded. */
export function tooWideIn(task: TaskTrials): WideException | null {
  return wideException(task.planned.task.guards, passedReference(task)?.end);
}

function passedReference({ trials, tried }: TaskTrials): Tried | undefined {
  return trials.reference.map((id) => tried.get(id)).find((each) => each?.status === 'passed');
}

function startFault({ tried }: TaskTrials): string | null {
  const off = [...tried.values()].find(({ status }) => status === 'invalid_task');
  if (off === undefined) return null;
  return off.detail ?? 'success must fail there, and guards must pass';
}

function needlessWaivers(mutants: readonly TriedMutant[], waivers: readonly Waived[]): string[] {
  const used = new Set(mutants.filter(({ waived }) => waived !== null).map(({ mutant }) => mutant));
  return waivers.flatMap(({ mutant }) => (used.has(mutant) ? [] : [mutant]));
}

/** Holds each mutant against all end states; what was seen comes before what was made from it. */
function mutantsTried({ planned, tried, waivers }: TaskTrials, right: Evidence): TriedMutant[] {
  const { task, screenshot_classes: screenshotClasses } = planned;
  const passes = (contracts: TaskContracts, evidence: Evidence): boolean => {
    const { goal, guard } = judgeTask(contracts, evidence, { screenshotClasses });
    return goal === 'pass' && guard === 'pass';
  };
  const seen = distinctStates([...tried].flatMap(([agent, each]) => statesOf(agent, each)));
  const mixed = mixedStates({ name: 'the reference', evidence: right }, seen);
  const states = [...seen, ...mixed, ...alteredStates(right)];
  const wasSeen = new Set(seen);
  const failing = states.filter(({ evidence }) => !passes(task, evidence));
  return mutantsOf(task).map(({ name, contracts }) => {
    const killer = failing.find(({ evidence }) => passes(contracts, evidence));
    if (killer !== undefined) return { mutant: name, killed_by: killer.name, seen: wasSeen.has(killer), waived: null };
    const waiver = waivers.find(({ mutant }) => mutant === name);
    return { mutant: name, killed_by: null, seen: null, waived: waiver?.reason ?? null };
  });
}

function statesOf(agent: string, { start, end }: Tried): EndState[] {
  return [
    ...(start === null ? [] : [{ name: 'the start', evidence: start }]),
    ...(end === null ? [] : [{ name: agent, evidence: end }]),
  ];
}

function endOf({ finalUrl, end }: Tried, startUrl: string): RightEnd {
  return { answer: end?.answer ?? null, startUrl, finalUrl, evidence: end };
}

function didPass({ each: { goal, guard } }: { each: Tried }): boolean {
  return goal === 'pass' && guard === 'pass';
}

function perturbedStates(
  task: TaskTrials,
  right: Tried | undefined,
): Pick<TaskQualification, 'perturbed' | 'volatile'> {
  const { trials, tried, perturbations } = task;
  const changing = pathsThatChange(task);
  const all = trials.perturbed.flatMap((agent, index) => {
    const [each, perturbation] = [tried.get(agent), perturbations[index]];
    return each === undefined || perturbation === undefined ? [] : [{ each, what: perturbation.what }];
  });
  const ended = all.filter(({ each }) => each.end !== null);
  const { startUrl } = task.planned.task;
  const isRight = (each: Tried) =>
    right === undefined ? false : isRightEnd(endOf(each, startUrl), endOf(right, startUrl), changing);
  const judged = ended.map((each) => ({ ...each, isRight: isRight(each.each) }));
  const same = judged.filter((each) => each.isRight === true);
  const wrong = judged.filter((each) => each.isRight === false);
  // A contract may well ask for more than the state: of who is cut short, nobody says that it was reached.
  const done = same.filter(({ each: { status } }) => status === 'passed' || status === 'failed');
  return {
    perturbed: {
      judged: wrong.length,
      right: { passed: done.filter(didPass).length, of: done.length },
      inconclusive: all.length - wrong.length - done.length,
      false_passes: wrong.filter(didPass).map(({ what }) => what),
    },
    volatile: unexcepted(task, changing),
  };
}

/** Finds the differences between two runs in which nothing was done. */
function pathsThatChange({ trials, tried }: TaskTrials): string[] {
  const [first, second] = trials.idle.map((agent) => tried.get(agent)?.end?.app_state);
  if (first?.captured !== true || second?.captured !== true) return [];
  return differences(first.value.now, second.value.now);
}

/** Keeps the paths that no guard allows to change. */
function unexcepted({ planned }: TaskTrials, paths: readonly string[]): string[] {
  const { guards } = planned.task;
  const excepted = guards === undefined ? [] : exceptionsOf(guards);
  return paths.filter((pointer) => !excepted.some((pattern) => liesUnder(pointer, pattern)));
}

/** Exceptions of guards that leave nothing of an app's state to be guarded. */
export interface WideException {
  except: string[];
  /** The places that the solution changes, where they are narrower; few of them, and each short. */
  changed: string[];
}

/** Most places that are named, and most characters of each: the app names them. */
const MOST = { places: 4, characters: 100 };

/** Finds exceptions that cover all that there is; null where something is guarded, or nothing is known. */
export function wideException(guards: Contract | undefined, end: Evidence | null | undefined): WideException | null {
  const state = end?.app_state;
  if (guards === undefined || state?.captured !== true || !isRecord(state.value.now)) return null;
  const except = exceptionsOf(guards);
  const parts = Object.keys(state.value.now).map(pointerTo);
  if (except.length === 0 || !parts.every((part) => except.some((pattern) => liesUnder(part, pattern)))) return null;
  const changed = differences(state.value.start, state.value.now);
  const isNarrower = changed.every((each) => !except.includes(each) && each.length <= MOST.characters);
  return { except, changed: isNarrower && changed.length <= MOST.places ? changed : [] };
}

function pointerTo(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The exceptions of all that is guarded. */
export function exceptionsOf(contract: Contract): string[] {
  if (contract.kind === 'unchanged') return contract.except ?? [];
  return contract.kind === 'and' ? contract.children.flatMap(exceptionsOf) : [];
}
