import { z } from 'zod';
import type { FaultPorts, ReplyInstead, ServerCall } from './ports.ts';
import { addProblem, rule } from '../contract/validation/wording.ts';
import { patternProblem } from '../contract/pattern.ts';
import type { Answer } from '../contract/evidence.ts';
import type { JsonObject } from '../contract/json.ts';

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

/** Longest time that a fault lasts, in ms. */
const MAX_MS = 60_000;

export const Milliseconds = z.int().min(1).max(MAX_MS);
export const FaultCount = z.int().min(1).max(1_000);

/** A number, or the least and the most of which one is drawn. */
export const Drawn = z.union([
  FaultCount,
  z.tuple([FaultCount, FaultCount]).refine(([least, most]) => least <= most, rule('range_reversed')),
]);

/** An address is found anywhere in it unless it is anchored, as in contracts. */
export const UrlPattern = z.string().superRefine((source, context) => addProblem(patternProblem(source), context));

export const id = z
  .string()
  .max(80, rule('id_too_long', { most: 80 }))
  .regex(/^[A-Za-z0-9]+([-_][A-Za-z0-9]+)*$/, rule('not_an_id'));

/** An element by its accessible role and name, as solutions name it; a field by its label alone. */
export const NamedElement = z.strictObject({ role: z.string().min(1).optional(), name: z.string().min(1) });
export type NamedElement = z.infer<typeof NamedElement>;

/** Evidence that a fault was injected: the exchange, the command of the browser, or the tool call. */
export const FaultProof = z.strictObject({
  /** Place of the exchange in the world's log, its method and address. */
  exchange: z.strictObject({ seq: z.int(), method: z.string(), url: z.string() }).optional(),
  /** A command that the browser carried out, or an event that it sent. */
  command: z.string().optional(),
  /** Number of the tool call, counted from 1. */
  call: z.int().optional(),
});
export type FaultProof = z.infer<typeof FaultProof>;

/** A fault at work in one episode. It receives every tool call; calls are numbered from 1. */
export interface Injection {
  /** The agent has made up its mind, and the call is about to be made. */
  beforeCall?(number: number, call: { tool: string; args: JsonObject }): Promise<void>;
  /** The agent is about to be shown this. */
  afterCall?(number: number, reply: ShownReply): Promise<void>;
  /** The call is to be made through a tool server. Null: the server's own reply is kept. */
  readonly inCall?: (call: ServerCall) => Promise<ReplyInstead | null>;
  /** The agent has ended: nothing more is injected, and leftovers are removed. */
  end(answer: Answer | null): Promise<void>;
}

/** A reply of a surface, as far as a fault looks at it. */
export interface ShownReply {
  ok: boolean;
  text: string;
  image?: unknown;
}

/** Where a fault notes what has become of it. */
export interface FaultOutcome {
  readonly hasFired: boolean;
  fire(proof: FaultProof): void;
  /** Does nothing before it has fired. */
  clear(by: 'time' | 'agent' | 'harness'): void;
  /** The agent followed an injected order that it was shown. */
  obeyed(): void;
}
