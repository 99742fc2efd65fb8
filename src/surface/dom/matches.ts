import { selectorProblem, selectAll } from '../../contract/dom/select.ts';
import type { CapturedElement, CapturedFrame, CapturedNode, CapturedRoot } from '../../contract/dom/captured-tree.ts';
import { messageFor } from '../../messages/messages.ts';
import { isShownAttribute } from './serialise.ts';
import type { TabDocument } from './tab-reader.ts';

/** A selector of this surface: CSS, and before each `>>` the frame that holds the rest. */
type SelectorPath = [string, ...string[]];

/** A `>>` in a quoted string is CSS. */
const PIECES = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\\.|>>|[^"'\\>]+|./gs;

export function parsePath(selector: string): { path: SelectorPath } | { problem: string } {
  const steps: SelectorPath = [''];
  for (const [piece] of selector.matchAll(PIECES)) {
    if (piece === '>>') steps.push('');
    else steps[steps.length - 1] = `${steps.at(-1) ?? ''}${piece}`;
  }
  const [first, ...others] = steps;
  const path: SelectorPath = [first.trim(), ...others.map((step) => step.trim())];
  for (const step of path) {
    const problem = selectorProblem(step);
    if (problem !== null) return { problem: `the selector ${JSON.stringify(step)} ${messageFor(problem)}` };
  }
  return { path };
}

type Attributes = 'all' | 'shown';

export function matchesIn(tab: TabDocument, [first, ...rest]: SelectorPath, attributes: Attributes): CapturedElement[] {
  const { frame, originals } = pierced(tab.frame, attributes);
  const found = selectAll(frame, first).flatMap((copy) => originals.get(copy) ?? []);
  const [next, ...others] = rest;
  if (next === undefined) return found;
  return found.flatMap((owner) => {
    const content = tab.inside.get(owner.index);
    return content === undefined ? [] : matchesIn(content, [next, ...others], attributes);
  });
}

interface Pierced {
  frame: CapturedFrame;
  originals: ReadonlyMap<CapturedElement, CapturedElement>;
}

const KNOWN: Readonly<Record<Attributes, WeakMap<CapturedFrame, Pierced>>> = {
  all: new WeakMap(),
  shown: new WeakMap(),
};

/** A document with the content of open shadow roots as children of their hosts, as for Playwright's CSS, and without closed ones. */
function pierced(frame: CapturedFrame, attributes: Attributes): Pierced {
  const known = KNOWN[attributes].get(frame);
  if (known !== undefined) return known;
  const document: CapturedRoot & { children: CapturedNode[] } = { ...frame.document, children: [] };
  const copies = new Map<CapturedElement, CapturedElement & { children: CapturedNode[] }>();
  const originals = new Map<CapturedElement, CapturedElement>();
  for (const element of frame.elements) {
    const { parent: at } = element;
    const host = at.kind === 'element' ? at : at.host;
    const parent = host === null ? document : copies.get(host);
    if (at.kind === 'closed' || parent === undefined) continue;
    const copy = {
      ...element,
      parent,
      children: element.children.filter(({ kind }) => kind === 'text'),
      attributes: attributes === 'all' ? element.attributes : shownOf(element),
    };
    parent.children.push(copy);
    copies.set(element, copy);
    originals.set(copy, element);
  }
  const whole = { frame: { ...frame, document, elements: [...originals.keys()] }, originals };
  KNOWN[attributes].set(frame, whole);
  return whole;
}

function shownOf({ attributes }: CapturedElement): ReadonlyMap<string, string> {
  return new Map([...attributes].filter(([name]) => isShownAttribute(name)));
}
