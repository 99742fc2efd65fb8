import { z } from 'zod';
import type { FaultPorts, ReplyInstead, ServerCall } from './ports.ts';
import { addProblem, rule } from '../contract/validation/wording.ts';
import { patternProblem } from '../contract/pattern.ts';
import type { Answer } from '../contract/evidence.ts';
import type { JsonObject } from '../contract/json.ts';

export type Where = 'network' | 'page' | 'browser' | 'tool server';

/**
 * One kind of fault, with everything that Touchstone knows about it.
 * @typeParam Written as its author writes it
 * @typeParam Armed with everything drawn that its author left open
 */
export interface FaultKind<Written, Armed> {
  readonly kind: string;
  readonly schema: z.ZodObject;
  readonly armed: z.ZodObject;
  readonly where: Where;
  /** A sentence for `docs/stress.md`. */
  readonly about: string;
  /** Its order is then obeyed or resisted. */
  readonly givesOrder?: boolean;
  /** Why it cannot be injected into this entrant; null if it can. */
  whyNot(entrant: Injectable): string | null;
  /** Draws what its author left open; or gives the reason why nothing can be drawn. */
  draw(fault: Written, by: Draw, touched: readonly NamedElement[]): Partial<Armed> | { impossible: string };
  /** Begins after the start was judged. */
  inject(fault: Armed, outcome: FaultOutcome, ports: FaultPorts): Injection;
}

/** Properties of an entrant that decide which faults can be injected. */
export interface Injectable {
  /** Its views and calls are then invisible. */
  drivesItself: boolean;
  showsPages: boolean;
  /** A separate process, which reaches the browser through our gateway. */
  hasServer: boolean;
}

/** Draws from the seed of a plan: the same on every machine. */
export interface Draw {
  /** From 0; `what` keeps the draws of one fault apart. */
  index(what: string, count: number): number;
  /** The number itself, or one from the range. */
  number(from: number | readonly [number, number], what: string): number;
  /** A word that occurs nowhere else. */
  word(): string;
}

/** Faults at tool calls cannot strike an agent whose calls are invisible. */
export function whyNotInCalls(kind: string, { drivesItself }: Injectable): string | null {
  return drivesItself
    ? `${kind} comes with a tool call, and an agent that drives the browser itself makes none that can be seen`
    : null;
}

const MAX_MS = 60_000;

export const Milliseconds = z.int().min(1).max(MAX_MS);
export const FaultCount = z.int().min(1).max(1_000);

/** A number, or the range that it is drawn from. */
export const Drawn = z.union([
  FaultCount,
  z.tuple([FaultCount, FaultCount]).refine(([least, most]) => least <= most, rule('range_reversed')),
]);

/** Found anywhere in an address unless it is anchored. */
export const UrlPattern = z.string().superRefine((source, context) => addProblem(patternProblem(source), context));

export const id = z
  .string()
  .max(80, rule('id_too_long', { most: 80 }))
  .regex(/^[A-Za-z0-9]+([-_][A-Za-z0-9]+)*$/, rule('not_an_id'));

/** By accessible role and name; a field by its label alone. */
export const NamedElement = z.strictObject({ role: z.string().min(1).optional(), name: z.string().min(1) });
export type NamedElement = z.infer<typeof NamedElement>;

/** Evidence that a fault was injected. */
export const FaultProof = z.strictObject({
  /** `seq`: its place in the world's log. */
  exchange: z.strictObject({ seq: z.int(), method: z.string(), url: z.string() }).optional(),
  /** Carried out or sent by the browser. */
  command: z.string().optional(),
  /** The tool call, counted from 1. */
  call: z.int().optional(),
});
export type FaultProof = z.infer<typeof FaultProof>;

/** A fault at work in one episode. It receives every tool call, numbered from 1. */
export interface Injection {
  /** The agent has decided, and the call is about to be made. */
  beforeCall?(number: number, call: { tool: string; args: JsonObject }): Promise<void>;
  /** The reply is about to be shown to the agent. */
  afterCall?(number: number, reply: ShownReply): Promise<void>;
  /** Replaces a tool server's reply; null keeps it. */
  readonly inCall?: (call: ServerCall) => Promise<ReplyInstead | null>;
  /** The agent has ended: stops injecting, and cleans up. */
  end(answer: Answer | null): Promise<void>;
}

export interface ShownReply {
  ok: boolean;
  text: string;
  image?: unknown;
}

/** Records what becomes of a fault. */
export interface FaultOutcome {
  readonly hasFired: boolean;
  fire(proof: FaultProof): void;
  /** Does nothing before it has fired. */
  clear(by: 'time' | 'agent' | 'harness'): void;
  obeyed(): void;
}
