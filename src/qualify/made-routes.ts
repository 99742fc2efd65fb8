import { byKeyboard, type TrialStep } from '../agent/kinds/trial-step.ts';
import type { Intent } from '../task/intent.ts';
import type { Task } from '../task/schema.ts';
import { solutionOf } from './perturbations.ts';

export const MADE_ROUTES = ['by-keyboard', 'other-link', 'other-order', 'fresh-start'] as const;

/** Another way to do the same. */
interface MadeRoute {
  id: (typeof MADE_ROUTES)[number];
  what: string;
  steps: readonly TrialStep[];
}

/** Makes from a task's solution the other ways that must pass too; one that the page does not offer ends early. */
export function madeRoutes(task: Task): MadeRoute[] {
  const steps = solutionOf(task);
  if (steps === null) return [];
  const { startUrl } = task;
  const again: MadeRoute = {
    id: 'fresh-start',
    what: 'the start page is loaded once more',
    steps: [{ do: 'go', url: startUrl }, ...steps],
  };
  const all: MadeRoute[] = [
    { id: 'by-keyboard', what: 'the same by keyboard', steps: steps.map((step) => byKeyboard(step) ?? step) },
    { id: 'other-link', what: 'another link to the same address', steps: onOtherLink(steps) },
    { id: 'other-order', what: 'the fields in another order', steps: inOtherOrder(steps) },
    ...(startUrl === 'about:blank' ? [] : [again]),
  ];
  const own = JSON.stringify(steps);
  return all.filter((route) => JSON.stringify(route.steps) !== own);
}

function onOtherLink(steps: readonly Intent[]): TrialStep[] {
  const last = steps.findLastIndex((step) => step.do === 'click' && step.role === 'link' && step.name !== '');
  return steps.map((step, at) =>
    at === last && step.do === 'click' ? { do: 'same_address' as const, than: step } : step,
  );
}

/** Fills adjacent fields from the last to the first. A choice may change which fields there are, so it keeps its place. */
function inOtherOrder(steps: readonly Intent[]): Intent[] {
  const [first, ...rest] = steps;
  if (first === undefined) return [];
  const end = steps.findIndex((step) => step.do !== 'fill');
  const filled = steps.slice(0, end === -1 ? steps.length : end);
  if (filled.length === 0) return [first, ...inOtherOrder(rest)];
  const labels = new Set(filled.map((step) => (step.do === 'fill' ? step.label : '')));
  const turned = labels.size === filled.length ? filled.toReversed() : filled;
  return [...turned, ...inOtherOrder(steps.slice(filled.length))];
}
