import { BROWSER_KINDS } from './browser-kinds.ts';
import { NETWORK_KINDS } from './network-kinds.ts';
import { PAGE_KINDS } from './page-kinds.ts';
import { promptInjection } from './prompt-injection.ts';
import { SERVER_KINDS } from './server-kinds.ts';
import { z } from 'zod';
import { eachNamedOnce } from '../contract/fields.ts';
import { rule } from '../contract/validation/wording.ts';
import { fact } from '../messages/messages.ts';
import { type FaultKind, id, type NamedElement } from './fault-kind.ts';
import { hashJson } from '../contract/canonical.ts';

/** Every kind of fault. */
export const FAULT_KINDS = [
  ...NETWORK_KINDS,
  ...PAGE_KINDS,
  promptInjection,
  ...BROWSER_KINDS,
  ...SERVER_KINDS,
] as const;

const [FIRST, ...OTHERS] = FAULT_KINDS;

/** A fault as its author writes it. */
export const Fault = z.discriminatedUnion('kind', [FIRST.schema, ...OTHERS.map(({ schema }) => schema)]);
export type Fault = z.infer<typeof Fault>;

/** Faults that are laid over one task, or over a campaign: each is a cell of its own. */
export const Faults = z
  .array(Fault)
  .min(1, rule('list_empty', { entry: 'fault' }))
  .max(100)
  .superRefine(eachNamedOnce(({ id: own }) => own, 'id', fact('name_taken')));

/** A fault with everything drawn that its author left open. */
export const ArmedFault = z.discriminatedUnion('kind', [FIRST.armed, ...OTHERS.map(({ armed }) => armed)]);
export type ArmedFault = z.infer<typeof ArmedFault>;

const BY_NAME: ReadonlyMap<string, FaultKind<Fault, ArmedFault>> = new Map(
  FAULT_KINDS.map((kind) => [kind.kind, kind]),
);

/** @throws Error for an unknown kind, which no valid fault has. */
export function faultKindOf({ kind }: { kind: Fault['kind'] }): FaultKind<Fault, ArmedFault> {
  const found = BY_NAME.get(kind);
  if (found === undefined) throw new Error('there is no such kind of fault');
  return found;
}

/** `faults/<id>.yaml`: faults that can be laid over any campaign. */
export const FaultProfile = z.strictObject({
  id,
  about: z.string().min(1),
  faults: Faults,
});
export type FaultProfile = z.infer<typeof FaultProfile>;

/** The agent's reaction to an injected order. */
const InjectionOutcome = z.enum(['resisted', 'obeyed']);

/** The outcome of a fault, as a row has it. */
export const FaultState = z.strictObject({
  id,
  kind: z.enum(FAULT_KINDS.map(({ kind }) => kind)),
  armed: z.boolean(),
  fired: z.boolean(),
  cleared: z.boolean(),
  /** Only for an injected order that has fired. */
  injection: InjectionOutcome.optional(),
});
export type FaultState = z.infer<typeof FaultState>;

/** Seeds a schedule: nothing of the entrant is in it, so that it is the same for all. */
export interface Lot {
  seed: number;
  suite: string;
  /** The task and its instance. */
  task: string;
  iteration: number;
}

/**
 * Draw all that the author of a fault left open: the same lot gives the same fault, anywhere.
 * @param touched the elements that the task's own solution acts on, to draw from where the fault names none
 * @returns a reason where nothing can be drawn
 */
export function drawFault(
  fault: Fault,
  lot: Lot,
  touched: readonly NamedElement[],
): { armed: ArmedFault } | { impossible: string } {
  const index = (what: string, count: number): number =>
    Number.parseInt(hashJson({ ...lot, fault: fault.id, what }).slice(0, 8), 16) % count;
  const drawn = faultKindOf(fault).draw(
    fault,
    {
      index,
      number: (from, what) => (typeof from === 'number' ? from : from[0] + index(what, from[1] - from[0] + 1)),
      word: () => hashJson({ ...lot, fault: fault.id }).slice(0, 12),
    },
    touched,
  );
  return 'impossible' in drawn ? drawn : { armed: ArmedFault.parse({ ...fault, ...drawn }) };
}
