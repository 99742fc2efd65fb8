import { hashJson } from '../contract/canonical.ts';
import { NETWORK_KINDS, type NetworkKind, PAGE_KINDS, type PageKind, SERVER_KINDS, type ServerKind } from './kinds.ts';
import type { ArmedFault, Fault, NamedElement } from './schema.ts';

/** What a schedule is drawn by: nothing of who is struck, so that it is the same for all entrants. */
export interface Lot {
  seed: number;
  suite: string;
  /** The task and its instance. */
  task: string;
  iteration: number;
}

/**
 * A fault with all that is drawn: the same lot gives the same fault, anywhere.
 * @param touched the elements that the task's own solution acts on, to draw from where the fault names none
 * @returns a reason where nothing can be drawn
 */
export function drawFault(
  fault: Fault,
  lot: Lot,
  touched: readonly NamedElement[],
): { armed: ArmedFault } | { impossible: string } {
  const draw = (what: string, count: number): number =>
    Number.parseInt(hashJson({ ...lot, fault: fault.id, what }).slice(0, 8), 16) % count;
  const number = (from: number | readonly [number, number], what: string): number =>
    typeof from === 'number' ? from : from[0] + draw(what, from[1] - from[0] + 1);
  if (isNetwork(fault)) return { armed: { ...fault, nth: number(fault.nth, 'nth') } };
  if (!isPage(fault)) return { armed: { ...fault, call: number(fault.call, 'call') } };
  const element = fault.element ?? touched[draw('element', Math.max(1, touched.length))];
  if (element === undefined) return { impossible: "the fault names no element, and the task's solution acts on none" };
  if (fault.kind !== 'prompt_injection') return { armed: { ...fault, element } };
  return { armed: { ...fault, element, canary: `canary-${hashJson({ ...lot, fault: fault.id }).slice(0, 12)}` } };
}

type Has<K extends string> = { kind: K };

function isOneOf<F extends Has<string>, K extends string>(fault: F, kinds: readonly K[]): fault is Extract<F, Has<K>> {
  return kinds.some((kind) => kind === fault.kind);
}

export function isNetwork<F extends Has<string>>(fault: F): fault is Extract<F, Has<NetworkKind>> {
  return isOneOf(fault, NETWORK_KINDS);
}

export function isPage<F extends Has<string>>(fault: F): fault is Extract<F, Has<PageKind>> {
  return isOneOf(fault, PAGE_KINDS);
}

export function isServer<F extends Has<string>>(fault: F): fault is Extract<F, Has<ServerKind>> {
  return isOneOf(fault, SERVER_KINDS);
}
