import { z } from 'zod';
import { patternProblem } from '../contract/pattern.ts';

/** Longest time that a fault lasts, in ms. */
const MAX_MS = 60_000;

export const Milliseconds = z.int().min(1).max(MAX_MS);
export const FaultCount = z.int().min(1).max(1_000);

/** A number, or the least and the most of which one is drawn. */
export const Drawn = z.union([
  FaultCount,
  z.tuple([FaultCount, FaultCount]).refine(([least, most]) => least <= most, 'has more for least than for most'),
]);

/** An address is found anywhere in it unless it is anchored, as in contracts. */
export const UrlPattern = z.string().superRefine((source, context) => {
  const message = patternProblem(source);
  if (message !== null) context.addIssue({ code: 'custom', message });
});

export const id = z
  .string()
  .max(80, 'is longer than 80 characters; shorten it')
  .regex(/^[A-Za-z0-9]+([-_][A-Za-z0-9]+)*$/, 'is not an id; write letters and digits joined by single "-" or "_"');

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
