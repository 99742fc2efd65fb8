import { hashJson } from '../contract/canonical.ts';
import type { Evidence } from '../contract/evidence.ts';

/** Evidence, and how it came about. */
export interface EndState {
  name: string;
  evidence: Evidence;
}

/**
 * End states that nobody was seen to bring about, made of such as were: the right one with one part of another, such as a page
 * that was not reloaded, or a state that was not saved.
 */
export function mixedStates(right: EndState, others: readonly EndState[]): EndState[] {
  const mixed = others.flatMap(({ name, evidence }) =>
    PARTS.flatMap(({ part, of }) => {
      const taken = of(right.evidence, evidence);
      return taken === null ? [] : [{ name: `the reference's end with the ${part} of ${name}`, evidence: taken }];
    }),
  );
  return distinctStates([right, ...mixed]).slice(1);
}

/** Without those that are the same as an earlier one. */
export function distinctStates(states: readonly EndState[]): EndState[] {
  const seen = new Set<string>();
  return states.filter(({ evidence }) => {
    const hash = hashJson(evidence);
    return !seen.has(hash) && seen.add(hash).size > 0;
  });
}

/** A part of evidence that can be put in the place of another's; null where there is nothing to put. */
interface Part {
  part: string;
  of: (right: Evidence, other: Evidence) => Evidence | null;
}

const PARTS: readonly Part[] = [
  { part: 'app state', of: (right, { app_state: state }) => (state.captured ? { ...right, app_state: state } : null) },
  {
    part: 'pages',
    of: (right, { pages, last_active: active, screenshot }) => ({ ...right, pages, last_active: active, screenshot }),
  },
  {
    part: 'content of the page',
    of: (right, other) => {
      const dom = activeOf(other)?.dom;
      return dom?.captured === true ? withActive(right, { dom }) : null;
    },
  },
  { part: 'network log', of: (right, { network }) => (network.captured ? { ...right, network } : null) },
  { part: 'answer', of: (right, { answer }) => ({ ...right, answer }) },
  { part: 'page loaded anew', of: (right, { fresh }) => (fresh.captured ? { ...right, fresh } : null) },
  { part: 'open dialog', of: (right, other) => withActive(right, { dialog: activeOf(other)?.dialog ?? null }) },
  {
    part: 'address',
    of: (right, other) => {
      const url = activeOf(other)?.url;
      return url?.captured === true ? withActive(right, { url }) : null;
    },
  },
];

type Page = Evidence['pages'][number];

export function activeOf({ pages, last_active: active }: Evidence): Page | undefined {
  return pages.find(({ id }) => id === active);
}

export function withActive(evidence: Evidence, edit: Partial<Page>): Evidence {
  return withPage(evidence, evidence.last_active, edit);
}

export function withPage(evidence: Evidence, id: string | null, edit: Partial<Page>): Evidence {
  return { ...evidence, pages: evidence.pages.map((page) => (page.id === id ? { ...page, ...edit } : page)) };
}
