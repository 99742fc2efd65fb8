import type { ElementStep } from '../../task/intent.ts';
import type { SnapshotElement } from '../../task/snapshot-text.ts';

const ROLES = { fill: ['textbox', 'searchbox', 'combobox', 'spinbutton'], choose: ['combobox', 'listbox'] };

/**
 * The element that a step means, of those that a snapshot shows; undefined when it is not among them. Of several with the same role and name, the
 * first in the order of the page is meant. Tools differ in what they make of icons and of white space in a name: where none has the very name, one
 * that reads the same is meant.
 */
export function elementFor(step: ElementStep, elements: readonly SnapshotElement[]): SnapshotElement | undefined {
  const [roles, wanted] = step.do === 'click' ? [[step.role], step.name] : [ROLES[step.do], step.label];
  const ofRole = elements.filter(({ role }) => roles.includes(role));
  return (
    ofRole.find(({ name }) => name === wanted) ?? ofRole.find(({ name }) => withoutIcons(name) === withoutIcons(wanted))
  );
}

/** A name as it is read. Icon fonts have their pictures in the private use areas of Unicode. */
function withoutIcons(name: string): string {
  return name
    .replaceAll(/\p{Co}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
