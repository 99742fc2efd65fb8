import type { SnapshotElement } from '../../task/snapshot-text.ts';

// All texts of Puppeteer (24.43) and Stagehand (3.7) on which we match.

/** A node of Puppeteer's accessibility snapshot; its other members are states. */
interface SnapshotNode {
  role: string;
  name?: string;
  children?: readonly SnapshotNode[];
}

const LEFT_OUT = new Set(['role', 'name', 'children', 'backendNodeId', 'loaderId', 'elementHandle']);

/** The snapshot for a model, with a line for each node: `- textbox "Name" value="Ada" focused`. */
export function snapshotText(node: SnapshotNode, indent = ''): string {
  const name = node.name === undefined || node.name === '' ? '' : ` ${JSON.stringify(node.name)}`;
  const states = Object.entries(node).flatMap(([key, value]) => {
    if (LEFT_OUT.has(key) || value === false) return [];
    return [value === true ? ` ${key}` : ` ${key}=${JSON.stringify(value)}`];
  });
  const below = (node.children ?? []).map((child) => `\n${snapshotText(child, `${indent}  `)}`);
  return `${indent}- ${node.role}${name}${states.join('')}${below.join('')}`;
}

// The name is JSON, so that a line break in it begins no line of ours.
const PUPPETEER_LINE = /^ *- (\w+) ("(?:[^"\\]|\\.)*")(?: value=("(?:[^"\\]|\\.)*"))?/gm;

/** The elements with a name in such a text, with their selectors as references. */
export function elementsOfPuppeteer(text: string): SnapshotElement[] {
  return [...text.matchAll(PUPPETEER_LINE)].map(([, role = '', quoted = '""', value]) => {
    const name = String(JSON.parse(quoted));
    // Its selector by role does not find plain text.
    if (role === 'StaticText') return { role, name, ref: `text/${name}` };
    // A button with a value is a file field, which Chromium finds by both.
    const sought = role === 'button' && value !== undefined ? `${name}: ${String(JSON.parse(value))}` : name;
    return { role, name, ref: `aria/${sought}[role="${role}"]` };
  });
}

// `[0-41] button: Send`; a name ends where the marks begin.
const STAGEHAND_LINE = /^ *\[(\d+-\d+)\] ([^:\n]+): (.*?)(?: \[selected\])?(?: \[checked\])?$/gm;
// "scrollable, list": Stagehand marks everything that can be scrolled.
const SCROLLABLE = /^scrollable, /;

export function elementsOfStagehand(snapshot: string): SnapshotElement[] {
  return [...snapshot.matchAll(STAGEHAND_LINE)].map(([, ref = '', described = '', name = '']) => {
    return { ref, role: described.replace(SCROLLABLE, ''), name };
  });
}

export function isInvalidSelector(error: unknown): boolean {
  return error instanceof Error && error.message.includes('is not a valid selector');
}

/** The names in a snapshot of Stagehand, on one line. */
export function stagehandText(snapshot: string): string {
  return elementsOfStagehand(snapshot)
    .map(({ name }) => name)
    .join(' ');
}
