import type { CapturedElement, CapturedFrame, CapturedNode, CapturedRoot } from '../../contract/dom/captured-tree.ts';
import { selectAll } from '../../contract/dom/select.ts';
import type { SelectorPath } from './selector.ts';
import { isShownAttribute } from './serialise.ts';
import type { TabDocument } from './tab-reader.ts';

/** By which attributes elements are found: all that they have, or those that the HTML shows. */
type Attributes = 'all' | 'shown';

/** The elements of a tab that a selector means; of a step that is left of `>>`, whatever owns a frame is followed. */
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

/**
 * A document with what is in open shadow roots taken for children of their hosts, as Playwright's CSS takes it; closed ones
 * are left out.
 */
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
    // It is in something closed, or inside of that.
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
