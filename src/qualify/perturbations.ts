import { shuffled } from '../plan/plan.ts';
import { canonicalJson, hashJson } from '../contract/canonical.ts';
import { othersThan, otherText, type TrialStep } from '../agent/kinds/trial-step.ts';
import type { Intent } from '../task/intent.ts';
import { taskName } from '../task/instance.ts';
import type { Task } from '../task/schema.ts';

/** Steps made from a solution, or another task's, that differ from it. */
export interface Perturbation {
  /** For example `step 2 dropped`. */
  what: string;
  steps: TrialStep[];
}

/** Most perturbations on other elements, which come on top of those that are drawn: their neighbours in name fit loose contracts best. */
export const NEIGHBOURS = 4;

/** Looking or waiting once more or less changes nothing. */
const PASSIVE = new Set<Intent['do']>(['read', 'settle', 'wait_for']);

/**
 * Draws perturbations by the seed: the solution with a step dropped, doubled, swapped with the next, altered or on another element,
 * the whole of it done twice, and solutions of other tasks, alone or before the right one.
 */
export function perturbationsOf(
  task: Task,
  others: readonly Task[],
  { seed, count }: { seed: number; count: number },
): Perturbation[] {
  const steps = solutionOf(task);
  if (steps === null) return [];
  const near = othersNear(task, others, seed);
  const [damage, ...further] = near.map((other) => firstAnother(task, steps, other));
  const instead = near.map((other) => another(other));
  const drawn = shuffled([...ofSteps(steps), twice(task, steps), ...instead, ...further], drawFor(task, seed));
  const known = new Set([steps, ...(task.nearMisses ?? []).map((miss) => miss.steps)].map((own) => canonicalJson(own)));
  const isNew = (each: Perturbation): boolean => each.steps.length > 0 && !known.has(canonicalJson(each.steps));
  // Guards are tested best by another task's solution before the right one, so there is always one.
  const all = damage === undefined ? drawn : [damage, ...drawn];
  const neighbours = count === 0 ? [] : onOthers(steps).slice(0, NEIGHBOURS);
  return [...all.filter(isNew).slice(0, count), ...neighbours];
}

export function solutionOf({ solutions = [] }: Task): Intent[] | null {
  return solutions.find((each) => each.for === 'page')?.steps ?? null;
}

function drawFor(task: Task, seed: number): number {
  return Number.parseInt(hashJson([seed, taskName(task)]).slice(0, 8), 16);
}

function ofSteps(steps: readonly Intent[]): Perturbation[] {
  return steps.flatMap((step, index) => {
    if (PASSIVE.has(step.do)) return [];
    const [before, after] = [steps.slice(0, index), steps.slice(index + 1)];
    const [next, ...later] = after;
    const swapped = next === undefined || PASSIVE.has(next.do) ? [] : [[...before, next, step, ...later]];
    return [
      { what: `step ${index + 1} dropped`, steps: [...before, ...after] },
      { what: `step ${index + 1} doubled`, steps: [...before, step, step, ...after] },
      ...swapped.map((each) => ({ what: `steps ${index + 1} and ${index + 2} swapped`, steps: each })),
      ...altered(step).map((other) => ({
        what: `step ${index + 1} altered to ${JSON.stringify(other)}`,
        steps: [...before, other, ...after],
      })),
    ];
  });
}

/** Begins with the last step. The page names the other element, so the agent finds it. */
function onOthers(steps: readonly Intent[]): Perturbation[] {
  return steps.toReversed().flatMap((step, fromEnd) => {
    const at = steps.length - 1 - fromEnd;
    const [before, after] = [steps.slice(0, at), steps.slice(at + 1)];
    return othersThan(step).map((other) => ({
      what: `step ${at + 1} ${otherText(other)}`,
      steps: [...before, other, ...after],
    }));
  });
}

/** Alters a text, a dialog or an answer. */
function altered(step: Intent): Intent[] {
  if (step.do === 'fill')
    return [
      { ...step, text: `${step.text} x` },
      { ...step, text: '' },
    ];
  if (step.do === 'dialog') return [{ do: 'dialog', action: step.action === 'accept' ? 'dismiss' : 'accept' }];
  if (step.do !== 'answer') return [];
  const number = Number(step.value);
  return [{ ...step, value: Number.isFinite(number) ? number + 1 : `not ${step.value}` }];
}

function twice({ startUrl }: Task, steps: readonly Intent[]): Perturbation {
  return { what: 'the whole done twice', steps: [...acting(steps), { do: 'go', url: startUrl }, ...steps] };
}

/** Drops answers, after which no step is taken. */
function acting(steps: readonly TrialStep[]): TrialStep[] {
  return steps.filter((step) => step.do !== 'answer' && step.do !== 'not_possible');
}

const MAX_OTHERS = 4;

function othersNear(task: Task, others: readonly Task[], seed: number): Task[] {
  const near = others.filter(
    (other) => taskName(other) !== taskName(task) && solutionOf(other) !== null && isNear(task, other),
  );
  return shuffled(near, drawFor(task, seed + 1)).slice(0, MAX_OTHERS);
}

function another(other: Task): Perturbation {
  const steps: Intent[] = [{ do: 'go', url: other.startUrl }, ...(solutionOf(other) ?? [])];
  return { what: `the solution of ${taskName(other)}`, steps };
}

function firstAnother(task: Task, steps: readonly Intent[], other: Task): Perturbation {
  const { what, steps: before } = another(other);
  return { what: `${what}, then its own`, steps: [...acting(before), { do: 'go', url: task.startUrl }, ...steps] };
}

/** A real application runs only if the task starts on it. */
function isNear(task: Task, other: Task): boolean {
  return originOf(other) !== null && (originOf(task) === null || originOf(task) === originOf(other));
}

function originOf({ startUrl }: Task): string | null {
  return startUrl === 'about:blank' ? null : new URL(startUrl).origin;
}
