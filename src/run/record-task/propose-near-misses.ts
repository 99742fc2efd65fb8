import type { Intent, NearMiss } from '../../task/intent.ts';
import type { UserAction } from './user-actions.ts';

export const MOST_NEAR_MISSES = 4;
/** Steps that change nothing by themselves. */
const PASSIVE = new Set<Intent['do']>(['wait_for', 'settle', 'read', 'answer', 'not_possible']);

/**
 * Proposes steps of a hasty agent instead of a solution: nothing, all but the last step, another value, another one of a kind. The
 * caller tries them first.
 */
export function proposeNearMisses(
  actions: readonly UserAction[],
  solution: readonly Intent[],
  startUrl: string,
): NearMiss[] {
  const [first, ...further] = unfinished(solution);
  const all = [
    ...(first === undefined ? [] : [first]),
    {
      why: 'it was done twice',
      steps: [...acting(solution), { do: 'go' as const, url: startUrl }, ...acting(solution)],
    },
    ...actions.toReversed().flatMap((action) => altered(action, solution)),
    ...further,
  ];
  const seen = new Set<string>();
  return all.filter(({ steps }) => {
    const text = JSON.stringify(steps);
    return !seen.has(text) && seen.add(text).size > 0;
  });
}

function acting(steps: readonly Intent[]): Intent[] {
  return steps.filter(({ do: verb }) => verb !== 'answer' && verb !== 'not_possible');
}

function unfinished(solution: readonly Intent[]): NearMiss[] {
  const last = solution.findLastIndex((step) => !PASSIVE.has(step.do));
  const before = solution.slice(0, Math.max(0, last));
  const looked: NearMiss = { why: 'the page was only looked at', steps: [{ do: 'read' }] };
  if (before.every((step) => PASSIVE.has(step.do))) return [looked];
  const step = solution[last];
  return [{ why: `the last step was left out: ${step === undefined ? '' : stepInWords(step)}`, steps: before }, looked];
}

/** The solution with one action done otherwise. */
function altered({ step, others, type }: UserAction, solution: readonly Intent[]): NearMiss[] {
  const at = solution.indexOf(step);
  if (at === -1) return [];
  const instead = (other: Intent, why: string): NearMiss => {
    const own = step.do === 'fill' ? step.text : '';
    // A text that shows what was typed would be waited for in vain, and so would one that shows that it was done.
    const waits = (each: Intent): boolean => each.do === 'wait_for' && (own === '' || each.text.includes(own));
    const after = solution.slice(at + 1).filter((each) => !waits(each));
    return { why, steps: [...solution.slice(0, at), other, ...after] };
  };
  if (step.do === 'fill') {
    const text = otherText(step.text, type ?? 'text');
    return text === null ? [] : [instead({ ...step, text }, `another value was written: ${text}`)];
  }
  if (step.do === 'choose') {
    return others.slice(0, 1).map((option) => instead({ ...step, option }, `another option was chosen: ${option}`));
  }
  if (step.do === 'click') {
    return others.slice(0, 2).map((name) => instead({ ...step, name }, `another one was clicked: ${name}`));
  }
  if (step.do !== 'dialog') return [];
  const action = step.action === 'accept' ? 'dismiss' : 'accept';
  return [instead({ do: 'dialog', action }, `the dialog was ${action === 'accept' ? 'accepted' : 'dismissed'}`)];
}

function otherText(text: string, type: string): string | null {
  if (text.includes('${')) return null;
  if (type === 'email') return text === 'ada@example.org' ? 'bob@example.org' : 'ada@example.org';
  if (type === 'number' || /^\d+$/.test(text)) return String(Number(text) + 1);
  return type === 'text' || type === 'textarea' || type === 'search' ? `${text} too` : null;
}

/** A step, as people say it. */
export function stepInWords(step: Intent): string {
  const { do: verb, ...rest } = step;
  const words = Object.entries(rest).map(([field, value]) => {
    const isWord = field === 'role' || field === 'action' || field === 'key' || typeof value !== 'string';
    return isWord && typeof value !== 'object' ? String(value) : JSON.stringify(value);
  });
  return [verb.replaceAll('_', ' '), ...words].join(' ');
}
