import type { SnapshotElement } from '../../task/snapshot-text.ts';

/** A node of Puppeteer's accessibility snapshot; its other members are states. */
interface SnapshotNode {
  role: string;
  name?: string;
  children?: readonly SnapshotNode[];
}

/** Members that are of no use to a model. */
const UNSAID = new Set(['role', 'name', 'children', 'backendNodeId', 'loaderId', 'elementHandle']);

/** The snapshot as a model reads it, a line a node: `- textbox "Name" value="Ada" focused`. */
export function snapshotText(node: SnapshotNode, indent = ''): string {
  const name = node.name === undefined || node.name === '' ? '' : ` ${JSON.stringify(node.name)}`;
  const states = Object.entries(node).flatMap(([key, value]) => {
    if (UNSAID.has(key) || value === false) return [];
    return [value === true ? ` ${key}` : ` ${key}=${JSON.stringify(value)}`];
  });
  const below = (node.children ?? []).map((child) => `\n${snapshotText(child, `${indent}  `)}`);
  return `${indent}- ${node.role}${name}${states.join('')}${below.join('')}`;
}

// The name is JSON text, so that no line break of a page's begins a line of ours.
const PUPPETEER_LINE = /^ *- (\w+) ("(?:[^"\\]|\\.)*")/gm;

/** The elements with a name that such a text shows, in the order of the page, with the selector of each as its reference. */
export function elementsOfPuppeteer(text: string): SnapshotElement[] {
  return [...text.matchAll(PUPPETEER_LINE)].map(([, role = '', quoted = '""']) => {
    const name = String(JSON.parse(quoted));
    return { role, name, ref: `aria/${name}[role="${role}"]` };
  });
}

// `[0-41] button: Send`; a name ends where the marks begin.
const STAGEHAND_LINE = /^ *\[(\d+-\d+)\] ([^:\n]+): (.*?)(?: \[selected\])?(?: \[checked\])?$/gm;
// "scrollable, list": Stagehand marks everything that can be scrolled.
const SCROLLABLE = /^scrollable, /;

/** The elements with a name that a snapshot of Stagehand's shows, in the order of the page. */
export function elementsOfStagehand(snapshot: string): SnapshotElement[] {
  return [...snapshot.matchAll(STAGEHAND_LINE)].map(([, ref = '', said = '', name = '']) => {
    const role = said.replace(SCROLLABLE, '');
    // It calls a drop-down list by its tag.
    return { ref, role: role === 'select' ? 'combobox' : role, name };
  });
}

/** Returns the names in a snapshot on one line, without roles. */
export function stagehandText(snapshot: string): string {
  return elementsOfStagehand(snapshot)
    .map(({ name }) => name)
    .join(' ');
}
