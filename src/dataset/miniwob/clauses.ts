import type { Contract } from '../../contract/schema.ts';
import type { SeenElement, SeenPage } from './seen-page.ts';

/** The clauses over the document at the end of a page; null if this seed needs something that they cannot say. */
export type Clauses = (seen: SeenPage) => Contract[] | null;

/** Rows of the table of pages. */
export type PageRow = readonly [page: string, clauses: Clauses];

export function rowsFor(pages: readonly string[], clauses: Clauses): PageRow[] {
  return pages.map((page) => [page, clauses]);
}

/** Clauses of what the goal's pattern captures, '' for a group without a match; null for another goal. */
export function byGoal(
  goal: RegExp,
  clauses: (captured: readonly [string, string, string, string], seen: SeenPage) => Contract[] | null,
): Clauses {
  return (seen) => {
    const found = goal.exec(seen.utterance);
    if (found === null) return null;
    const [, first = '', second = '', third = '', fourth = ''] = found;
    return clauses([first, second, third, fourth], seen);
  };
}

export function counts(selector: string, value: number): Contract {
  return { kind: 'dom_count', selector, op: 'eq', value };
}

export function field(selector: string, equals: string): Contract {
  return { kind: 'field_value', selector, equals };
}

export function shows(selector: string, equals: string): Contract {
  return { kind: 'dom_text', selector, equals };
}

export function anyOf(children: Contract[]): Contract[] | null {
  return children.length === 0 ? null : [{ kind: 'or', children }];
}

const MARK = '[data-tampered="e1"]';

/** One of these, or a part of it, was clicked: `core.js` marks what is clicked, with `e1` from the click that ends the episode on. */
export function clicked(selectors: readonly string[]): Contract[] | null {
  if (selectors.length === 0) return null;
  const selector = `:is(${selectors.join(', ')}):is(${MARK}, :has(${MARK}))`;
  return [{ kind: 'dom_count', selector, op: 'gte', value: 1 }];
}

export function selectorsOf(elements: readonly SeenElement[]): string[] {
  return elements.map(({ selector }) => selector);
}

export function classed({ elements }: SeenPage, name: string): SeenElement[] {
  return elements.filter(({ attributes }) => attributes['class']?.split(' ').includes(name));
}

export function partsOf({ elements }: SeenPage, selector: string): SeenElement[] {
  return elements.filter((element) => element.selector.startsWith(`${selector} > `));
}

export function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
