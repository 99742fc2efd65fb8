import { BROWSER_KINDS } from './kinds/browser.ts';
import { NETWORK_KINDS } from './kinds/network.ts';
import { PAGE_KINDS } from './kinds/page.ts';
import { promptInjection } from './kinds/prompt-injection.ts';
import { SERVER_KINDS } from './kinds/server.ts';
import { z } from 'zod';
import { eachNamedOnce, rule } from '../contract/validation/wording.ts';
import { fact } from '../messages/messages.ts';
import { type FaultKind, id, type NamedElement } from './fault-kind.ts';
import { hashJson } from '../contract/canonical.ts';

export const FAULT_KINDS = [
  ...NETWORK_KINDS,
  ...PAGE_KINDS,
  promptInjection,
  ...BROWSER_KINDS,
  ...SERVER_KINDS,
] as const;

const [FIRST, ...OTHERS] = FAULT_KINDS;

export const Fault = z.discriminatedUnion('kind', [FIRST.schema, ...OTHERS.map(({ schema }) => schema)]);
export type Fault = z.infer<typeof Fault>;

/** Laid over one task, or over a campaign: each is its own cell. */
export const Faults = z
  .array(Fault)
  .min(1, rule('list_empty', { entry: 'fault' }))
  .max(100)
  .superRefine(eachNamedOnce(({ id: own }) => own, 'id', fact('name_taken')));

/** With everything drawn that its author left open. */
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

const InjectionOutcome = z.enum(['resisted', 'obeyed']);

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

/** The seed of a schedule, the same for all entrants. */
export interface Lot {
  seed: number;
  suite: string;
  /** With its instance. */
  task: string;
  iteration: number;
}

/**
 * Draws everything that the author of a fault left open: the same lot gives the same fault, anywhere.
 * @param touched elements of the task's own solution, to draw from if the fault names none
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
