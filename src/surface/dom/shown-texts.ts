import type { CapturedElement, CapturedNode, CapturedRoot } from '../../contract/dom/captured-tree.ts';
import type { ShownHtml } from './shown-html.ts';

/** Tags that stand in the line of the text around them; every other begins a line and ends it. */
const INLINE: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo cite code data del dfn em font i ins kbd label mark q s samp small span strong sub sup time u var wbr'.split(
    ' ',
  ),
);

/** Most of an element's text that is taken for its name, in characters: each of many may be named by the whole page. */
export const MAX_TEXT = 2_000;

/** Nodes that may still be read for the names in a document: without it, each of many elements could be named by many that are empty. */
export interface Reading {
  left: number;
}

/** The text of an element as it stands in the HTML, in one line, cut; of what is in it, `leave` is left out. */
export function textOf(element: CapturedElement, shown: ShownHtml, reading: Reading, leave?: CapturedElement): string {
  return linesIn([element], shown, { leave, most: MAX_TEXT, reading }).join(' ').slice(0, MAX_TEXT);
}

/** The lines of a document as its HTML has them; those of shadow trees stand before the other content of their hosts. */
export function linesOf(document: CapturedRoot, shown: ShownHtml): string[] {
  return linesIn(document.children, shown);
}

type Task = CapturedNode | 'line';

interface Taken {
  leave?: CapturedElement | undefined;
  /** Characters after which no more is read. */
  most?: number;
  reading?: Reading;
}

/** A stack: how deep a page nests is the page's to say. */
function linesIn(
  nodes: readonly CapturedNode[],
  { written }: ShownHtml,
  { leave, most = Infinity, reading = { left: Infinity } }: Taken = {},
): string[] {
  const lines = [''];
  const tasks: Task[] = nodes.toReversed();
  let length = 0;
  for (let task = tasks.pop(); task !== undefined && length < most && reading.left > 0; task = tasks.pop()) {
    reading.left -= 1;
    if (task === 'line') lines.push('');
    else if (!written.has(task) || task === leave) continue;
    else if (task.kind === 'text') {
      const text = task.value.replace(/^\s+/, ' ').slice(0, most);
      lines[lines.length - 1] += text;
      length += text.trim().length;
    } else {
      const within = withinOf(task);
      reading.left -= within.length;
      // Not all at once: an element may have more children than a call may have arguments.
      for (const each of within) tasks.push(each);
    }
  }
  return lines.map((line) => line.replaceAll(/\s+/g, ' ').trim()).filter((line) => line !== '');
}

/** Text that is still to be read of an element, the last first. */
function withinOf({ name, attributes, children, shadowRoot }: CapturedElement): Task[] {
  if (attributes.has('hidden') || attributes.get('aria-hidden') === 'true') return [];
  const within = [...(shadowRoot?.children ?? []), ...children].toReversed();
  return INLINE.has(name) ? within : ['line', ...within, 'line'];
}
