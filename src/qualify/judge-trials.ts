import type { PlannedTask } from '../plan/plan.ts';
import {
  NOT_TRIED,
  proofOfTrials,
  type TaskQualification,
  type TriedMutant,
  waiverOfRoute,
} from '../plan/task-qualification.ts';
import type { Status } from '../contract/status.ts';
import type { Evidence } from '../contract/evidence.ts';
import { escaped, differences, liesUnder, namesByKey } from '../contract/json-pointer.ts';
import { judgeTask, type TaskContracts } from '../contract/judge-task.ts';
import { mutantsOf } from '../contract/mutants.ts';
import { semanticsOf } from '../contract/semantics.ts';
import { proofHash } from '../task/schema.ts';
import type { Waived } from '../task/suite.ts';
import { alteredStates, distinctStates, type EndState, mixedStates } from './end-states.ts';
import {
  countDistinct,
  differenceFrom,
  isCorrectEnd,
  type Left,
  leftBy,
  pageNotOpened,
  type IgnoredState,
  type TrialEnd,
} from './correct-end.ts';
import { ofKind, type JudgedTrial } from './judged-trial.ts';
import { type EndDifference, type Misjudged, SAME } from './judged-otherwise.ts';
import { IDLE } from './trials.ts';
import { isRecord } from '../contract/validation/record.ts';
import { type Contract, leavesIn } from '../contract/schema.ts';
import { spellingsOf } from '../contract/answer/spellings.ts';

export interface TaskTrials {
  planned: PlannedTask;
  tried: readonly JudgedTrial[];
  waivers: readonly Waived[];
}

/** Proves a task from its stored trials alone: the same evidence gives the same proof. */
export function judgeTrials(task: TaskTrials): TaskQualification {
  const { planned, tried, waivers } = task;
  const { clock } = planned.task.setup ?? {};
  const right = passedReference(task);
  const share = (kind: 'reference' | 'route') => {
    const all = ofKind(tried, kind);
    return { passed: all.filter(({ status }) => status === 'passed').length, of: all.length };
  };
  const misses = new Map(ofKind(tried, 'near-miss').map(({ trial, status }) => [trial.id, status]));
  const mutants = right?.end == null ? [] : tryMutants(task, right.end);
  const routes = madeRoutesTried(task);
  return proofOfTrials({
    task_hash: proofHash(planned.task),
    contract_hash: planned.contract_hash,
    semantics: semanticsOf(planned.task),
    ...(clock === undefined ? {} : { clock }),
    start_fault: startFault(task),
    reference: share('reference'),
    other_routes: share('route'),
    controls: Object.fromEntries(ofKind(tried, 'control').map(({ trial, status }) => [trial.id, status])),
    near_misses: (planned.task.nearMisses ?? []).map(({ why }, index) => ({
      why,
      status: misses.get(`near-miss-${index + 1}`) ?? NOT_TRIED,
    })),
    mutants,
    needless_waivers: needlessWaivers(mutants, routes, waivers),
    breadth: { incorrect_ends: incorrectEnds(task, right), made_routes: routes },
    ...spellingsTried(task, right),
    ...perturbedStates(task, right),
  });
}

/** Returns the traces that distinguish the end of a task's solution; null if none of its trials passed. */
export function leftByReference(task: TaskTrials): Left | null {
  const right = passedReference(task);
  return right === undefined ? null : leftBy(endOf(right, task.planned.task.startUrl), pathsThatChange(task));
}

/** Returns the exceptions of a task's guards if they leave nothing to guard. */
export function tooWideIn(task: TaskTrials): WideException | null {
  return wideException(task.planned.task.guards, passedReference(task)?.end);
}

function passedReference({ tried }: TaskTrials): JudgedTrial | undefined {
  return ofKind(tried, 'reference').find(({ status }) => status === 'passed');
}

function startFault({ tried }: TaskTrials): string | null {
  const off = tried.find(({ status }) => status === 'invalid_task');
  if (off === undefined) return null;
  return off.detail ?? 'success must fail there, and guards must pass';
}

function needlessWaivers(
  mutants: readonly TriedMutant[],
  routes: ReturnType<typeof madeRoutesTried>,
  waivers: readonly Waived[],
): string[] {
  const named = [...mutants, ...routes.map((each) => ({ ...each, mutant: waiverOfRoute(each.route) }))];
  const used = new Set(named.filter(({ waived }) => waived !== null).map(({ mutant }) => mutant));
  return waivers.flatMap(({ mutant }) => (used.has(mutant) ? [] : [mutant]));
}

const FOLLOWED: ReadonlySet<string> = new Set<Status>(['passed', 'failed', 'inconclusive']);

/** Leaves out routes that the page does not offer, or whose steps exceed the caps. */
function madeRoutesTried({ tried, waivers }: TaskTrials) {
  return ofKind(tried, 'made').flatMap(({ trial: { id }, status }) => {
    if (!FOLLOWED.has(status)) return [];
    const waiver = status === 'passed' ? undefined : waivers.find(({ mutant }) => mutant === waiverOfRoute(id));
    return [{ route: id, status, waived: waiver?.reason ?? null }];
  });
}

/** Counts distinct ends that must not pass. */
function incorrectEnds(task: TaskTrials, right: JudgedTrial | undefined): number {
  const not = notCompared(task);
  const { startUrl } = task.planned.task;
  const isOther = (each: JudgedTrial): boolean =>
    right !== undefined && isCorrectEnd(endOf(each, startUrl), endOf(right, startUrl), not) === false;
  const ends = ofKind(task.tried, 'control', 'near-miss', 'perturbed').filter(
    (each) => each.end !== null && ((each.trial.kind === 'near-miss' && each.status === 'failed') || isOther(each)),
  );
  return countDistinct(
    ends.map((each) => endOf(each, startUrl)),
    not,
  );
}

/** Tries each mutant on all end states: first on those that were seen, then on those made from them. */
function tryMutants(all: TaskTrials, right: Evidence): TriedMutant[] {
  const { planned, tried, waivers } = all;
  const { task, screenshot_classes: screenshotClasses } = planned;
  const passes = (contracts: TaskContracts, evidence: Evidence): boolean => {
    const { goal, guard } = judgeTask(contracts, evidence, { screenshotClasses });
    return goal === 'pass' && guard === 'pass';
  };
  const seen = distinctStates(tried.flatMap(statesOf));
  const mixed = mixedStates({ name: 'the reference', evidence: right }, seen);
  const states = [...seen, ...mixed, ...alteredStates(right, pointersIn(all).some(namesByKey), fieldsReadBy(task))];
  const wasSeen = new Set(seen);
  const failing = states.filter(({ evidence }) => !passes(task, evidence));
  return mutantsOf(task).map(({ name, contracts }) => {
    const killer = failing.find(({ evidence }) => passes(contracts, evidence));
    if (killer !== undefined) return { mutant: name, killed_by: killer.name, seen: wasSeen.has(killer), waived: null };
    const waiver = waivers.find(({ mutant }) => mutant === name);
    return { mutant: name, killed_by: null, seen: null, waived: waiver?.reason ?? null };
  });
}

/** Judges the reference's end with other spellings of its answer, unless a clause has `exact`. */
function spellingsTried(
  { planned: { task, screenshot_classes: screenshotClasses } }: TaskTrials,
  right: JudgedTrial | undefined,
): Pick<TaskQualification, 'spellings'> {
  const end = right?.end ?? null;
  if (end?.answer == null || !('value' in end.answer)) return {};
  if (leavesIn(task.success).some((leaf) => leaf.kind === 'answer' && leaf.exact === true)) return {};
  const spellings = spellingsOf(end.answer.value);
  const failed = spellings.filter((value) => {
    const { goal, guard } = judgeTask(task, { ...end, answer: { value } }, { screenshotClasses });
    return goal !== 'pass' || guard !== 'pass';
  });
  return { spellings: { tried: spellings.length, failed } };
}

function statesOf({ trial, start, end }: JudgedTrial): EndState[] {
  return [
    ...(start === null ? [] : [{ name: 'the start', evidence: start }]),
    ...(end === null ? [] : [{ name: trial.id, evidence: end }]),
  ];
}

function endOf({ finalUrl, end }: JudgedTrial, startUrl: string): TrialEnd {
  return { answer: end?.answer ?? null, startUrl, finalUrl, evidence: end };
}

function didPass({ goal, guard }: JudgedTrial): boolean {
  return goal === 'pass' && guard === 'pass';
}

/** Returns the perturbed trials, those with an incorrect end, and those with a correct one. */
function perturbedIn(
  task: TaskTrials,
  right = passedReference(task),
): Record<'all' | 'incorrect' | 'done', JudgedTrial[]> {
  const not = notCompared(task);
  const all = ofKind(task.tried, 'perturbed');
  const { startUrl } = task.planned.task;
  const isCorrect = (each: JudgedTrial) =>
    right === undefined ? false : isCorrectEnd(endOf(each, startUrl), endOf(right, startUrl), not);
  const judged = all.flatMap((each) => (each.end === null ? [] : [{ each, right: isCorrect(each) }]));
  const incorrect = judged.flatMap(({ each, right: is }) => (is === false ? [each] : []));
  const same = judged.flatMap(({ each, right: is }) => (is === true ? [each] : []));
  // A contract may require more than the state, so an episode that was cut short proves nothing.
  return { all, incorrect, done: same.filter(({ status }) => status === 'passed' || status === 'failed') };
}

/** Finds the perturbed trials that were judged otherwise than their ends are. */
export function misjudgedIn(task: TaskTrials, { perturbed }: Pick<TaskQualification, 'perturbed'>): Misjudged {
  const failed = perturbedIn(task).done.flatMap((each) => (didPass(each) ? [] : [each.trial.id]));
  return { passed: perturbed.false_passes, failed };
}

function perturbedStates(
  task: TaskTrials,
  right: JudgedTrial | undefined,
): Pick<TaskQualification, 'perturbed' | 'volatile'> {
  const { all, incorrect, done } = perturbedIn(task, right);
  return {
    perturbed: {
      judged: incorrect.length,
      right: { passed: done.filter(didPass).length, of: done.length },
      inconclusive: all.length - incorrect.length - done.length,
      false_passes: incorrect.filter(didPass).map(({ trial }) => trial.what ?? trial.id),
    },
    volatile: unexcepted(task, pathsThatChange(task)),
  };
}

/** States how an end of a task differs from its solution's; null if that never passed, or nothing differs. */
export function differenceIn(task: TaskTrials): (each: JudgedTrial) => EndDifference {
  const right = passedReference(task);
  if (right === undefined) return () => SAME;
  const { startUrl } = task.planned.task;
  const [not, of] = [notCompared(task), endOf(right, startUrl)];
  return (each) => {
    const end = endOf(each, startUrl);
    return { difference: differenceFrom(end, of, not), notOpened: pageNotOpened(end, of, not) };
  };
}

function notCompared(task: TaskTrials): IgnoredState {
  const [first, ...others] = ofKind(task.tried, 'reference').flatMap(({ status, end }) =>
    status === 'passed' && end?.app_state.captured === true ? [end.app_state.value.now] : [],
  );
  const betweenRuns = first === undefined ? [] : others.flatMap((now) => differences(first, now, pointersIn(task)));
  return {
    volatile: [...pathsThatChange(task), ...betweenRuns],
    excepted: exceptedBy(task),
    read: pathsReadBy(task.planned.task.success),
    fields: fieldsReadBy(task.planned.task),
  };
}

function fieldsReadBy({ success }: TaskContracts): string[] {
  return leavesIn(success).flatMap((leaf) => (leaf.kind === 'field_value' ? [leaf.selector] : []));
}

function pathsReadBy(contract: Contract): string[] {
  if (contract.kind === 'app_state') return [contract.pointer];
  if (contract.kind === 'not') return pathsReadBy(contract.child);
  return contract.kind === 'and' || contract.kind === 'or' ? contract.children.flatMap(pathsReadBy) : [];
}

function pathsThatChange(task: TaskTrials): string[] {
  const [first, second] = IDLE.map((id) => task.tried.find(({ trial }) => trial.id === id)?.end?.app_state);
  if (first?.captured !== true || second?.captured !== true) return [];
  return differences(first.value.now, second.value.now, pointersIn(task));
}

/** The pointers of a task's contracts, whose keys name the entries of lists. */
function pointersIn(task: TaskTrials): string[] {
  return [...exceptedBy(task), ...pathsReadBy(task.planned.task.success)];
}

function exceptedBy({ planned: { task } }: TaskTrials): string[] {
  return task.guards === undefined ? [] : exceptionsOf(task.guards);
}

/** Keeps the paths that no guard allows to change. */
function unexcepted(task: TaskTrials, paths: readonly string[]): string[] {
  const excepted = exceptedBy(task);
  return paths.filter((pointer) => !excepted.some((pattern) => liesUnder(pointer, pattern)));
}

/** Exceptions of guards that leave nothing of an app's state to guard. */
export interface WideException {
  except: string[];
  /** The places that the solution changes, if they are narrower, few and short. */
  changed: string[];
}

/** Most places that are named, and most characters of each, since the app names them. */
const MAX = { places: 4, characters: 100 };

/** Finds exceptions that cover the whole state; null if something is guarded, or nothing is known. */
export function wideException(guards: Contract | undefined, end: Evidence | null | undefined): WideException | null {
  const state = end?.app_state;
  if (guards === undefined || state?.captured !== true || !isRecord(state.value.now)) return null;
  const except = exceptionsOf(guards);
  const parts = Object.keys(state.value.now).map((key) => `/${escaped(key)}`);
  if (except.length === 0 || !parts.every((part) => except.some((pattern) => liesUnder(part, pattern)))) return null;
  const changed = differences(state.value.start, state.value.now, except);
  const isNarrower = changed.every((each) => !except.includes(each) && each.length <= MAX.characters);
  return { except, changed: isNarrower && changed.length <= MAX.places ? changed : [] };
}

export function exceptionsOf(contract: Contract): string[] {
  if (contract.kind === 'unchanged') return contract.except ?? [];
  return contract.kind === 'and' ? contract.children.flatMap(exceptionsOf) : [];
}
