import type { Contract } from '../contract/schema.ts';
import type { Task } from './schema.ts';

/** Shorter ones stand in any text. */
const MIN_LENGTH = 4;

/**
 * What gives a task away where it stands outside of it: the values that its contract expects, the values of its instance,
 * and what its goal puts in quotation marks. A single word in lower case is an ordinary one, and not among them.
 */
export function literalsOf({ success, guards, instance, goal }: Task): Set<string> {
  const quoted = [...goal.matchAll(/["“„«]([^"“”„«»]+)["”“»]/g)].map(([, text = '']) => text);
  const all = [
    ...expectedBy(success),
    ...(guards === undefined ? [] : expectedBy(guards)),
    ...leavesOf(instance?.parameters),
    ...quoted,
  ].map((text) => text.replaceAll(/\s+/g, ' ').trim());
  return new Set(all.filter((text) => text.length >= MIN_LENGTH && !/^\p{Ll}+$/u.test(text)));
}

function expectedBy(contract: Contract): string[] {
  switch (contract.kind) {
    case 'and':
    case 'or':
      return contract.children.flatMap(expectedBy);
    case 'not':
      return expectedBy(contract.child);
    case 'url':
      return piecesOf(contract.pattern);
    case 'dom_text':
      return [...leavesOf([contract.contains, contract.equals]), ...piecesOf(contract.matches)];
    case 'dom_count':
      return leavesOf(contract.value);
    case 'network':
      return [...piecesOf(contract.url_pattern), ...piecesOf(contract.body_matches)];
    case 'answer':
      return leavesOf([contract.one_of, contract.number, contract.date]);
    case 'app_state':
      return [...leavesOf(contract.equals), ...piecesOf(contract.matches)];
    case 'screenshot_class':
    case 'no_dialog':
    case 'unchanged':
      return [];
  }
}

/** Every text and number in a value. */
function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(leavesOf);
}

/** What a pattern says in plain letters, between its signs. */
function piecesOf(pattern: string | undefined): string[] {
  return pattern?.split(/(?:\\[A-Za-z]|[\\^$.*+?()[\]{}|/])+/) ?? [];
}
