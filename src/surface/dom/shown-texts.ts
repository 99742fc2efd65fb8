import type { CapturedElement, CapturedNode, CapturedRoot } from '../../contract/dom/captured-tree.ts';
import type { ShownHtml } from './shown-html.ts';

/** Tags that stand in the line of the text around them; every other begins a line and ends it. */
const INLINE: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo cite code data del dfn em font i ins kbd label mark q s samp small span strong sub sup time u var wbr'.split(
    ' ',
  ),
);

/** The text of an element as it stands in the HTML, in one line; of what is in it, `leave` is left out. */
export function textOf(element: CapturedElement, shown: ShownHtml, leave?: CapturedElement): string {
  return linesIn([element], shown, leave).join(' ');
}

/** The lines of a document as its HTML has them; those of shadow trees stand before the other content of their hosts. */
export function linesOf(document: CapturedRoot, shown: ShownHtml): string[] {
  return linesIn(document.children, shown);
}

type Task = CapturedNode | 'line';

/** A stack: how deep a page nests is the page's to say. */
function linesIn(nodes: readonly CapturedNode[], { written }: ShownHtml, leave?: CapturedElement): string[] {
  const lines = [''];
  const tasks: Task[] = nodes.toReversed();
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    if (task === 'line') lines.push('');
    else if (!written.has(task) || task === leave) continue;
    else if (task.kind === 'text') lines[lines.length - 1] += task.value;
    else tasks.push(...withinOf(task));
  }
  return lines.map((line) => line.replaceAll(/\s+/g, ' ').trim()).filter((line) => line !== '');
}

/** Text that is still to be read of an element, the last first. */
function withinOf({ name, attributes, children, shadowRoot }: CapturedElement): Task[] {
  if (attributes.has('hidden') || attributes.get('aria-hidden') === 'true') return [];
  const within = [...(shadowRoot?.children ?? []), ...children].toReversed();
  return INLINE.has(name) ? within : ['line', ...within, 'line'];
}
