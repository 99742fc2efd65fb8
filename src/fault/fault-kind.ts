import type { z } from 'zod';
import type { NamedElement } from './fields.ts';
import type { Injection, FaultOutcome } from './injection.ts';
import type { FaultPorts } from './ports.ts';

/** Where something goes wrong. */
export type Where = 'network' | 'page' | 'browser' | 'tool server';

/**
 * One kind of fault: everything that Touchstone knows about it. Its file in `kinds/` and its line in `registry.ts` are all there is.
 * @typeParam Written as its author writes it
 * @typeParam Armed with everything drawn that its author left open
 */
export interface FaultKind<Written, Armed> {
  readonly kind: string;
  readonly schema: z.ZodObject;
  readonly armed: z.ZodObject;
  readonly where: Where;
  /** One sentence for `docs/stress.md`. */
  readonly about: string;
  /** True where it orders something, which is then obeyed or resisted. */
  readonly givesOrder?: boolean;
  /** Return why it cannot be injected into what an entrant does; null when it can. */
  whyNot(entrant: Injectable): string | null;
  /** Draw what its author left open; or return why nothing can be drawn. */
  draw(fault: Written, by: Draw, touched: readonly NamedElement[]): Partial<Armed> | { impossible: string };
  /** Begin, in an episode whose start has been judged. */
  inject(fault: Armed, outcome: FaultOutcome, ports: FaultPorts): Injection;
}

/** The properties of an entrant that decide which faults can be injected. */
export interface Injectable {
  /** It drives the browser itself, so its views and calls are invisible. */
  drivesItself: boolean;
  showsPages: boolean;
  /** It has a process of its own, which reaches the browser by our gateway. */
  hasServer: boolean;
}

/** Draws from the seed of a plan: the same draw gives the same, anywhere. */
export interface Draw {
  /** One of so many, counted from 0; `what` keeps the draws of one fault apart. */
  index(what: string, count: number): number;
  /** A number that is given, or one between the least and the most. */
  number(from: number | readonly [number, number], what: string): number;
  /** A word that nothing else holds. */
  word(): string;
}

/** Why nothing that hangs on tool calls can be injected into who makes none that we see. */
export function whyNotInCalls(kind: string, { drivesItself }: Injectable): string | null {
  return drivesItself ? `${kind} comes with a tool call, and nobody sees those of who drives the browser itself` : null;
}
