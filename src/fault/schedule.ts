import { hashJson } from '../contract/canonical.ts';
import type { NamedElement } from './fields.ts';
import { ArmedFault, type Fault, faultKindOf } from './schema.ts';

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
