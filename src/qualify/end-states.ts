import { hashJson, canonicalJson } from '../contract/canonical.ts';
import type { CapturedElement } from '../contract/dom/captured-tree.ts';
import { capturedFrames } from '../contract/dom/document.ts';
import { chosenIn, withFieldValues } from '../contract/dom/field-value.ts';
import { selectAll } from '../contract/dom/select.ts';
import { type Answer, type Download, type Evidence, type NetworkEntry, present } from '../contract/evidence.ts';
import { differences, segmentsOf } from '../contract/json-pointer.ts';
import type { Json } from '../contract/json.ts';

/** Evidence, and where it comes from. */
export interface EndState {
  name: string;
  evidence: Evidence;
}

/** Makes end states that no trial reached: the correct one with one part of another, such as a page that was not reloaded. */
export function mixedStates(right: EndState, others: readonly EndState[]): EndState[] {
  const mixed = others.flatMap(({ name, evidence }) =>
    PARTS.flatMap(({ part, of }) => {
      const taken = of(right.evidence, evidence);
      return taken === null ? [] : [{ name: `the reference's end with the ${part} of ${name}`, evidence: taken }];
    }),
  );
  return distinctStates([right, ...mixed]).slice(1);
}

/** Drops states that equal an earlier one. */
export function distinctStates(states: readonly EndState[]): EndState[] {
  const seen = new Set<string>();
  return states.filter(({ evidence }) => {
    const hash = hashJson(evidence);
    return !seen.has(hash) && seen.add(hash).size > 0;
  });
}

/** A part of evidence that can replace another's; `of` returns null if there is nothing to replace it with. */
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
  { part: 'downloads', of: (right, { downloads }) => (downloads === undefined ? null : { ...right, downloads }) },
  { part: 'answer', of: (right, { answer }) => ({ ...right, answer }) },
  { part: 'page in a fresh context', of: (right, { fresh }) => (fresh.captured ? { ...right, fresh } : null) },
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

/** The elements of the tab that was active last that a selector matches. */
export function fieldsIn(evidence: Evidence, selector: string): CapturedElement[] {
  const dom = activeOf(evidence)?.dom;
  return dom?.captured === true ? capturedFrames(dom.value).frames.flatMap((frame) => selectAll(frame, selector)) : [];
}

/** Most end states of another app state; those nearest to the task's changes come first. */
const MAX_STATES = 1_000;

/**
 * Makes end states that no trial reached: the correct one with one thing changed, which is the answer, the address, an open dialog,
 * the log of requests, a download, one value of the app's state, or the value of a field.
 * @param isKeyed whether contracts name entries of lists by key: then entries get one field more, too
 * @param fields selectors of the fields whose values contracts read
 */
export function alteredStates(right: Evidence, isKeyed = false, fields: readonly string[] = []): EndState[] {
  return [
    ...ofAnswer(right),
    ...ofAddress(right),
    ...ofDialog(right),
    ...ofLog(right),
    ...ofDownloads(right),
    ...ofState(right, isKeyed),
    ...fields.flatMap((selector) => ofField(right, selector)),
  ];
}

function ofAnswer(right: Evidence): EndState[] {
  const { answer } = right;
  if (answer === null || !('value' in answer)) return [];
  const values = otherAnswers(answer.value).filter((value) => canonicalJson(value) !== canonicalJson(answer.value));
  return values.map((value): EndState => {
    const altered: Answer = { value };
    return {
      name: `the reference's end with the answer ${JSON.stringify(value)}`,
      evidence: { ...right, answer: altered },
    };
  });
}

function otherAnswers(value: string | number): (string | number)[] {
  const number = Number(value);
  if (value !== '' && Number.isFinite(number)) return [number + 1, number - 1];
  const text = String(value);
  const oneMore = text.replace(/\d+/, (digits) => String(BigInt(digits) + 1n));
  return [text.toUpperCase(), text.toLowerCase(), `${text} and more`, oneMore, ...otherLists(text)];
}

/** A list with its entries turned round, and without one of them. */
function otherLists(text: string): string[] {
  const json = /^\[.*\]$/s.test(text) ? text.slice(1, -1).split(',') : null;
  const entries = json ?? text.split(/\s*(?:[,;\n]|\band\b)\s*/);
  const written = (some: readonly string[]): string => (json === null ? some.join(', ') : `[${some.join(',')}]`);
  if (entries.length < 2) return [];
  return [entries.toReversed(), ...entries.slice(0, 20).map((_, at) => entries.toSpliced(at, 1))].map(written);
}

function ofAddress(right: Evidence): EndState[] {
  return right.pages.flatMap(({ id, url }) => {
    if (!url.captured) return [];
    const altered = [`${url.value}?more`, `${url.value}/more`, `http://elsewhere.localhost/?${url.value}`];
    return altered.map((address) => ({
      name: `the reference's end with ${id} at ${address}`,
      evidence: withPage(right, id, { url: present(address) }),
    }));
  });
}

function ofDialog(right: Evidence): EndState[] {
  if (activeOf(right)?.dialog !== null) return [];
  const dialog = { type: 'alert', message: 'Are you still there?' } as const;
  return [{ name: "the reference's end with a dialog that is open", evidence: withActive(right, { dialog }) }];
}

/** As if every request had gone elsewhere, had another method, or was not sent. */
function ofLog(right: Evidence): EndState[] {
  const { network } = right;
  if (!network.captured || network.value.entries.length === 0) return [];
  const asked = (what: string, edit: (entry: NetworkEntry) => NetworkEntry[]): EndState => ({
    name: `the reference's end with ${what} in the log`,
    evidence: { ...right, network: present({ ...network.value, entries: network.value.entries.flatMap(edit) }) },
  });
  return [
    asked('longer addresses', (entry) => [{ ...entry, url: `${entry.url}/more` }]),
    asked('addresses elsewhere', (entry) => [{ ...entry, url: `http://elsewhere.localhost/?${entry.url}` }]),
    asked('another method', (entry) => [{ ...entry, method: entry.method === 'GET' ? 'POST' : 'GET' }]),
    asked('nothing', () => []),
  ];
}

function ofDownloads(right: Evidence): EndState[] {
  const { downloads } = right;
  if (downloads?.captured !== true || downloads.value.length === 0) return [];
  const made = (what: string, edit: (download: Download) => Partial<Download>[]): EndState => ({
    name: `the reference's end with ${what}`,
    evidence: {
      ...right,
      downloads: present(downloads.value.flatMap((each) => edit(each).map((other) => ({ ...each, ...other })))),
    },
  });
  return [
    made('no download', () => []),
    made('each download twice', () => [{}, {}]),
    made('downloads that were cancelled', () => [{ state: 'canceled', bytes: null, sha256: null, text: null }]),
    made('longer names of downloads', ({ name }) => [{ name: `${name}.more` }]),
    made('other beginnings of the names of downloads', ({ name }) => [{ name: `other ${name}` }]),
    made('longer addresses of downloads', ({ url }) => [{ url: `${url}/more` }]),
    made('downloads from elsewhere', ({ url }) => [{ url: `http://elsewhere.localhost/?${url}` }]),
    made('downloads that are one byte longer', ({ bytes }) => [{ bytes: (bytes ?? 0) + 1 }]),
    made('downloads that are one byte shorter', ({ bytes }) => [{ bytes: (bytes ?? 0) - 1 }]),
    made('downloads of another hash', () => [{ sha256: '0'.repeat(64) }]),
    made('downloads of other text', () => [{ text: 'other' }]),
    made('longer text of downloads', ({ text }) => [{ text: `more and ${text ?? ''} and more` }]),
  ];
}

function ofField(right: Evidence, selector: string): EndState[] {
  const dom = activeOf(right)?.dom;
  const [field] = fieldsIn(right, selector);
  if (field === undefined || dom?.captured !== true) return [];
  const edited = field.name === 'select' ? chosenIn(field) : [field];
  const ids = new Set(edited.map(({ backendNodeId }) => backendNodeId));
  const set = (what: string, edit: (value: string) => string): EndState => ({
    name: `the reference's end with ${what} in ${selector}`,
    evidence: withActive(right, { dom: present(withFieldValues(dom.value, ids, edit)) }),
  });
  return [
    set('nothing', () => ''),
    set('another text', () => 'other'),
    set('more text after it', (value) => `${value} and more`),
    set('more text before it', (value) => `more and ${value}`),
  ];
}

function ofState(right: Evidence, isKeyed: boolean): EndState[] {
  const { app_state: state } = right;
  if (!state.captured) return [];
  const { start, now } = state.value;
  const changed = differences(start, now).map(segmentsOf);
  const nearness = ({ path }: Altered): number =>
    changed.reduce((most, other) => Math.max(most, sharedStart(path, other)), 0);
  return [...otherValues(now, [], isKeyed)]
    .map((altered) => ({ altered, near: nearness(altered) }))
    .toSorted((a, b) => b.near - a.near)
    .slice(0, MAX_STATES)
    .map(({ altered: { path, what, value } }) => ({
      name: `the reference's end with ${what} at /${path.join('/')} of the app state`,
      evidence: { ...right, app_state: present({ start, now: value }) },
    }));
}

function sharedStart(one: readonly string[], other: readonly string[]): number {
  const differs = one.findIndex((segment, index) => segment !== other[index]);
  return differs === -1 ? one.length : differs;
}

interface Altered {
  path: readonly string[];
  /** The new inner value. */
  what: string;
  value: Json;
}

function* otherValues(value: Json, path: readonly string[], isKeyed: boolean): Generator<Altered> {
  if (typeof value !== 'object' || value === null) {
    for (const other of otherLeaves(value)) yield { path, what: JSON.stringify(other), value: other };
    return;
  }
  const entries = Object.entries(value);
  for (const [name, inner] of entries) {
    for (const other of otherValues(inner, [...path, name], isKeyed)) {
      const altered = entries.map(([own, kept]) => (own === name ? other.value : kept));
      yield { ...other, value: Array.isArray(value) ? altered : named(entries, altered) };
    }
  }
  if (isKeyed && !Array.isArray(value)) yield { path, what: 'one field more', value: { ...value, more: true } };
  if (Array.isArray(value)) yield { path, what: 'one item more', value: [...value, value.at(-1) ?? null] };
}

function named(entries: readonly (readonly [string, Json])[], values: readonly Json[]): Json {
  return Object.fromEntries(entries.map(([name], index) => [name, values[index] ?? null]));
}

function otherLeaves(value: null | boolean | number | string): Json[] {
  if (value === null) return [0];
  if (typeof value === 'boolean') return [!value];
  return typeof value === 'number' ? [value + 1, value - 1] : [`${value} and more`, `more and ${value}`];
}
