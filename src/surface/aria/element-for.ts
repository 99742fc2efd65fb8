import type { SurfaceIntent } from '../../task/intent.ts';
import { elementsOf, type SnapshotElement } from './snapshot-text.ts';

/** A step that is about one element. */
export type ElementStep = Extract<SurfaceIntent, { do: 'click' | 'fill' | 'choose' }>;

const TEXT_FIELDS = ['textbox', 'searchbox', 'combobox', 'spinbutton'];
const LISTS = ['combobox', 'listbox'];

/**
 * The element of a snapshot that a step means; undefined when it shows none. Of several with the same role and name, the
 * first in the order of the page is meant.
 */
export function elementFor(step: ElementStep, snapshot: string): SnapshotElement | undefined {
  return elementsOf(snapshot).find((element) => isMeant(step, element));
}

/** Whether a step means an element with this role and accessible name. */
export function isMeant(step: ElementStep, { role, name }: Pick<SnapshotElement, 'role' | 'name'>): boolean {
  if (step.do === 'click') return role === step.role && name === step.name;
  return (step.do === 'fill' ? TEXT_FIELDS : LISTS).includes(role) && name === step.label;
}
