import { canonicalJson, hashJson } from '../../contract/canonical.ts';
import { type Answer, type Evidence, present } from '../../contract/evidence.ts';

/** Evidence, and how it came about. */
export interface EndState {
  name: string;
  evidence: Evidence;
}

/**
 * End states that nobody was seen to bring about, made of such as were: the right one with one part of another (a page
 * that was not reloaded, a state that was not saved), and with another answer or address or an open dialog, which any agent
 * can have.
 */
export function mixedStates(right: EndState, others: readonly EndState[]): EndState[] {
  const mixed = others.flatMap(({ name, evidence }) =>
    PARTS.flatMap(({ part, of }) => {
      const taken = of(right.evidence, evidence);
      return taken === null ? [] : [{ name: `the reference's end with the ${part} of ${name}`, evidence: taken }];
    }),
  );
  const { evidence } = right;
  const altered = [...alteredAnswers(evidence), ...alteredAddresses(evidence), ...withDialog(evidence)];
  return distinct([right, ...mixed, ...altered]).slice(1);
}

/** Without those that are the same as an earlier one. */
export function distinct(states: readonly EndState[]): EndState[] {
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

function activeOf({ pages, last_active: active }: Evidence): Page | undefined {
  return pages.find(({ id }) => id === active);
}

function withActive(evidence: Evidence, edit: Partial<Page>): Evidence {
  return withPage(evidence, evidence.last_active, edit);
}

function withPage(evidence: Evidence, id: string | null, edit: Partial<Page>): Evidence {
  return { ...evidence, pages: evidence.pages.map((page) => (page.id === id ? { ...page, ...edit } : page)) };
}

function alteredAnswers(right: Evidence): EndState[] {
  const { answer } = right;
  if (answer === null || !('value' in answer)) return [];
  const values = alteredValues(answer.value).filter((value) => canonicalJson(value) !== canonicalJson(answer.value));
  return values.map((value): EndState => {
    const altered: Answer = { value };
    return {
      name: `the reference's end with the answer ${JSON.stringify(value)}`,
      evidence: { ...right, answer: altered },
    };
  });
}

function alteredValues(value: string | number): (string | number)[] {
  const number = Number(value);
  if (value !== '' && Number.isFinite(number)) return [number + 1, number - 1];
  const text = String(value);
  return [text.toUpperCase(), text.toLowerCase(), `${text} and more`];
}

function alteredAddresses(right: Evidence): EndState[] {
  return right.pages.flatMap(({ id, url }) => {
    if (!url.captured) return [];
    const altered = [`${url.value}?more`, `${url.value}/more`, `http://elsewhere.localhost/?${url.value}`];
    return altered.map((address) => ({
      name: `the reference's end with ${id} at ${address}`,
      evidence: withPage(right, id, { url: present(address) }),
    }));
  });
}

function withDialog(right: Evidence): EndState[] {
  if (activeOf(right)?.dialog !== null) return [];
  const dialog = { type: 'alert', message: 'Are you still there?' } as const;
  return [{ name: "the reference's end with a dialog that is open", evidence: withActive(right, { dialog }) }];
}
