import type { SurfaceIntent } from '../../task/intent.ts';
import type { SnapshotElement } from './snapshot-text.ts';

/** A step that is about one element. */
export type ElementStep = Extract<SurfaceIntent, { do: 'click' | 'fill' | 'choose' }>;

const TEXT_FIELDS = ['textbox', 'searchbox', 'combobox', 'spinbutton'];
const LISTS = ['combobox', 'listbox'];

/**
 * The element that a step means, of those that a snapshot shows; undefined when it is not among them. Of several with the same role and name, the
 * first in the order of the page is meant.
 */
export function elementFor(step: ElementStep, elements: readonly SnapshotElement[]): SnapshotElement | undefined {
  return elements.find(({ role, name }) => {
    if (step.do === 'click') return role === step.role && name === step.name;
    return (step.do === 'fill' ? TEXT_FIELDS : LISTS).includes(role) && name === step.label;
  });
}
