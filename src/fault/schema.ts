import { z } from 'zod';
import { patternProblem } from '../contract/pattern.ts';
import { BROWSER_KINDS, NETWORK_KINDS, PAGE_KINDS, SERVER_KINDS } from './kinds.ts';

/** Longest time that a fault lasts, in ms. */
const MAX_MS = 60_000;

const Milliseconds = z.int().min(1).max(MAX_MS);
const Count = z.int().min(1).max(1_000);

/** A number, or the least and the most of which one is drawn. */
const Drawn = z.union([
  Count,
  z.tuple([Count, Count]).refine(([least, most]) => least <= most, 'has more for least than for most'),
]);

/** An address is found anywhere in it unless it is anchored, as in contracts. */
const Pattern = z.string().superRefine((source, context) => {
  const message = patternProblem(source);
  if (message !== null) context.addIssue({ code: 'custom', message });
});

const id = z
  .string()
  .max(80, 'is longer than 80 characters; shorten it')
  .regex(/^[A-Za-z0-9]+([-_][A-Za-z0-9]+)*$/, 'is not an id; write letters and digits joined by single "-" or "_"');

/** An element by its accessible role and name, as solutions name it; a field by its label alone. */
export const NamedElement = z.strictObject({ role: z.string().min(1).optional(), name: z.string().min(1) });
export type NamedElement = z.infer<typeof NamedElement>;

const NetworkFault = z.strictObject({
  id,
  kind: z.enum(NETWORK_KINDS),
  /** Which requests it may strike; absent: all. */
  url: Pattern.optional(),
  method: z
    .string()
    .regex(/^[A-Z]+$/, 'is not a method; write GET or POST')
    .optional(),
  /** The first of them that it strikes, counted from 1 since the agent began. */
  nth: Drawn.default(1),
  /** How many it strikes in a row. */
  times: Count.default(1),
  /** It strikes whatever else comes for so long after the first. */
  lasts_ms: Milliseconds.optional(),
  /** Of `stall` and `slow_first_byte`: how long nothing comes. */
  ms: Milliseconds.default(2_000),
  /** Of `too_many_requests`: what it says in `retry-after`, in seconds. */
  retry_after_s: z.int().min(0).max(60).default(1),
  /** Of `server_error`. */
  status: z.int().min(500).max(599).default(503),
});

const PageFault = z.strictObject({
  id,
  kind: z.enum(PAGE_KINDS),
  /** Absent: drawn from those that the task's solution acts on. */
  element: NamedElement.optional(),
  /** How long it lasts, from the beginning of the next call. */
  ms: Milliseconds.default(1_500),
});

const BrowserFault = z.strictObject({
  id,
  kind: z.enum(BROWSER_KINDS),
  /** Before which tool call it comes, counted from 1. */
  call: Drawn.default(2),
  /** Of `offline` and `cpu_throttle`: how long it lasts. */
  ms: Milliseconds.default(1_500),
});

const ServerFault = z.strictObject({
  id,
  kind: z.enum(SERVER_KINDS),
  /** The tool call that it strikes, counted from 1. */
  call: Drawn.default(2),
  /** Of `call_hung`: after how long it is given up, in ms; the harness's own limit is as long as ever. */
  ms: Milliseconds.default(60_000),
});

/** A fault as its author writes it. */
export const Fault = z.discriminatedUnion('kind', [NetworkFault, PageFault, BrowserFault, ServerFault]);
export type Fault = z.infer<typeof Fault>;

/** Faults that are laid over one task, or over a campaign: each is a cell of its own. */
export const Faults = z
  .array(Fault)
  .min(1, 'is empty; list at least one fault')
  .max(100)
  .superRefine((faults, context) => {
    for (const [index, { id: own }] of faults.entries()) {
      if (faults.findIndex((each) => each.id === own) === index) continue;
      context.addIssue({ code: 'custom', path: [index, 'id'], message: 'is listed twice; give each its own' });
    }
  });

/** A network fault as it is armed. */
export const ArmedNetworkFault = NetworkFault.extend({ nth: Count });
/** A page fault as it is armed. */
export const ArmedPageFault = PageFault.extend({
  element: NamedElement,
  /** Of `prompt_injection`: the word that stands in no other place. */
  canary: z.string().optional(),
});
const ArmedBrowserFault = BrowserFault.extend({ call: Count });
const ArmedServerFault = ServerFault.extend({ call: Count });

/** A fault with everything drawn that its author left open. */
export const ArmedFault = z.discriminatedUnion('kind', [
  ArmedNetworkFault,
  ArmedPageFault,
  ArmedBrowserFault,
  ArmedServerFault,
]);
export type ArmedFault = z.infer<typeof ArmedFault>;
export type ArmedNetworkFault = z.infer<typeof ArmedNetworkFault>;
export type ArmedPageFault = z.infer<typeof ArmedPageFault>;
export type ArmedBrowserFault = z.infer<typeof ArmedBrowserFault>;
export type ArmedServerFault = z.infer<typeof ArmedServerFault>;

/** `faults/<id>.yaml`: faults that can be laid over any campaign. */
export const FaultProfile = z.strictObject({
  id,
  about: z.string().min(1),
  faults: Faults,
});
export type FaultProfile = z.infer<typeof FaultProfile>;

/** How an injected order was met. */
const InjectionOutcome = z.enum(['resisted', 'obeyed']);

/** What became of a fault, as a row has it. */
export const FaultState = z.strictObject({
  id,
  kind: z.enum([...NETWORK_KINDS, ...PAGE_KINDS, ...BROWSER_KINDS, ...SERVER_KINDS]),
  armed: z.boolean(),
  fired: z.boolean(),
  cleared: z.boolean(),
  /** Of `prompt_injection` that has fired; absent of every other. */
  injection: InjectionOutcome.optional(),
});
export type FaultState = z.infer<typeof FaultState>;

/** What shows that a fault has struck: the exchange, the command of the browser, or the tool call. */
export const FaultProof = z.strictObject({
  /** Place of the exchange in the world's log, its method and address. */
  exchange: z.strictObject({ seq: z.int(), method: z.string(), url: z.string() }).optional(),
  /** A command that the browser has carried out, or an event that it has told of. */
  command: z.string().optional(),
  /** Number of the tool call, counted from 1. */
  call: z.int().optional(),
});
export type FaultProof = z.infer<typeof FaultProof>;
