import { z } from 'zod';
import type { FaultKind } from './fault-kind.ts';
import { id } from './fields.ts';
import { FAULT_KINDS } from './registry.ts';

const [FIRST, ...OTHERS] = FAULT_KINDS;

/** A fault as its author writes it. */
export const Fault = z.discriminatedUnion('kind', [FIRST.schema, ...OTHERS.map(({ schema }) => schema)]);
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
