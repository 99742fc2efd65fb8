import type { SnapshotElement } from '../../task/snapshot-text.ts';

// `[0-41] button: Send`; a name ends where the marks begin.
const LINE = /^ *\[(\d+-\d+)\] ([^:\n]+): (.*?)(?: \[selected\])?(?: \[checked\])?$/gm;
// "scrollable, list": Stagehand says it of whatever can be scrolled.
const SCROLLABLE = /^scrollable, /;

/** The elements with a name that a snapshot of Stagehand's shows, in the order of the page. */
export function elementsOfStagehand(snapshot: string): SnapshotElement[] {
  return [...snapshot.matchAll(LINE)].map(([, ref = '', said = '', name = '']) => {
    const role = said.replace(SCROLLABLE, '');
    // It calls a drop-down list by its tag.
    return { ref, role: role === 'select' ? 'combobox' : role, name };
  });
}

/** Returns the text of a snapshot, without what it says of roles: words that stand beside each other, in one line. */
export function stagehandText(snapshot: string): string {
  return elementsOfStagehand(snapshot)
    .map(({ name }) => name)
    .join(' ');
}
