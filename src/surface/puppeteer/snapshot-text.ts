import type { SnapshotElement } from '../../task/snapshot-text.ts';

/** A node of Puppeteer's accessibility snapshot; what else it says of the node stands beside these. */
export interface SnapshotNode {
  role: string;
  name?: string;
  children?: readonly SnapshotNode[];
}

/** Members that tell a model nothing: where the node stands in the tree, and what the browser calls it. */
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
const LINE = /^ *- (\w+) ("(?:[^"\\]|\\.)*")/gm;

/** The elements with a name that such a text shows, in the order of the page, with the selector of each as its reference. */
export function elementsOfPuppeteer(text: string): SnapshotElement[] {
  return [...text.matchAll(LINE)].map(([, role = '', quoted = '""']) => {
    const name = String(JSON.parse(quoted));
    return { role, name, ref: `aria/${name}[role="${role}"]` };
  });
}
