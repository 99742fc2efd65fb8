import { canonicalJson } from '../contract/canonical.ts';
import { fieldValueOf } from '../contract/dom/field-value.ts';
import type { Answer, Evidence } from '../contract/evidence.ts';
import type { Json } from '../contract/json.ts';
import { differences, liesUnder, resolvePointer, segmentsOf } from '../contract/json-pointer.ts';
import { fieldsIn } from './end-states.ts';

/** The parts of an episode's end that can be compared with another's. */
export interface TrialEnd {
  answer: Answer | null;
  startUrl: string;
  finalUrl: string | null;
  evidence: Evidence | null;
}

/** Parts of the app state that make no end incorrect. */
export interface IgnoredState {
  /** Paths that differ though the same was done. */
  volatile: readonly string[];
  /** Paths that the guards let change; one that names a single value, which no clause reads, is not compared. */
  excepted: readonly string[];
  /** Paths that the clauses of `success` read. */
  read: readonly string[];
  /** Selectors of the fields whose values the clauses of `success` read. */
  fields?: readonly string[];
}

/**
 * Whether an end is as good as the reference's: it has the same app state, and the same answer if the reference gave one. If the
 * reference changes no state, the end has the same downloads if there were any, or the same address, or has sent all that the reference sent. Null if nothing
 * distinguishes the reference's end from others: no state, no answer, nothing sent, and the address of the start.
 */
export function isCorrectEnd(own: TrialEnd, right: TrialEnd, not: IgnoredState): boolean | null {
  // If the reference gives no answer, any answer is correct.
  if (right.answer !== null && canonicalJson(own.answer) !== canonicalJson(right.answer)) return false;
  if (differentFields(own, right, not).length > 0) return false;
  const [state, wanted] = [own.evidence?.app_state, right.evidence?.app_state];
  const left = leftBy(right, not.volatile);
  const [files, ownFiles] = [right, own].map(({ evidence }) => downloadsIn(evidence));
  if (files?.some((file) => ownFiles?.includes(file) !== true) === true) return false;
  if (state?.captured === true && wanted?.captured === true) {
    if (differing(state.value.now, wanted.value.now, not).length > 0) return false;
    if (left.state) return true;
  }
  // The same files and more: the goal decides whether that is correct.
  if (files !== undefined && files.length > 0) return ownFiles?.length === files.length ? true : null;
  if (hasSentAll(own.evidence, right.evidence)) return true;
  if (own.finalUrl !== right.finalUrl) return false;
  return left.answer || left.address ? true : null;
}

/** The fields that clauses read and that have another value in the tab that was active last, or are not there. */
function differentFields(own: TrialEnd, right: TrialEnd, { fields = [] }: IgnoredState): string[] {
  const valueIn = ({ evidence }: TrialEnd, selector: string) =>
    canonicalJson(evidence && firstField(evidence, selector));
  return fields.filter((selector) => valueIn(own, selector) !== valueIn(right, selector));
}

function firstField(evidence: Evidence, selector: string) {
  const [field] = fieldsIn(evidence, selector);
  return field === undefined ? null : fieldValueOf(field);
}

/** Counts ends that differ from each other in answer, address, state or what was sent. */
export function countDistinct(ends: readonly TrialEnd[], not: IgnoredState): number {
  const distinct: TrialEnd[] = [];
  for (const end of ends) if (!distinct.some((other) => isSameEnd(end, other, not))) distinct.push(end);
  return distinct.length;
}

function isSameEnd(one: TrialEnd, other: TrialEnd, not: IgnoredState): boolean {
  const [state, otherState] = [one.evidence?.app_state, other.evidence?.app_state];
  const isSameState =
    state?.captured === true && otherState?.captured === true
      ? differing(state.value.now, otherState.value.now, not).length === 0
      : state?.captured === otherState?.captured;
  const sent = [one, other].map(({ evidence }) => [...sentIn(evidence)].toSorted());
  const [shown, otherShown] = [one, other].map(({ answer, finalUrl }) => canonicalJson([answer, finalUrl]));
  return (
    isSameState &&
    differentFields(one, other, not).length === 0 &&
    shown === otherShown &&
    canonicalJson(sent[0] ?? []) === canonicalJson(sent[1] ?? [])
  );
}

/** Most places that are named, and most characters of each, since the app names them. */
const MAX = { places: 3, characters: 100 };

/** States how an end differs from the reference's; null if nothing that is compared does. */
export function differenceFrom(own: TrialEnd, right: TrialEnd, not: IgnoredState): string | null {
  const [state, wanted] = [own.evidence?.app_state, right.evidence?.app_state];
  if (state?.captured === true && wanted?.captured === true) {
    const places = differing(state.value.now, wanted.value.now, not);
    const named = places
      .slice(0, MAX.places)
      .map((at) => (at === '' ? 'the whole state' : at.slice(0, MAX.characters)));
    const more = places.length > named.length ? ` and ${places.length - named.length} more` : '';
    if (named.length > 0) return `its state differs in ${named.join(', ')}${more}`;
  }
  if (right.answer !== null && canonicalJson(own.answer) !== canonicalJson(right.answer)) return 'its answer differs';
  const [field] = differentFields(own, right, not);
  if (field !== undefined) return `the value of ${field} differs`;
  if (own.finalUrl === right.finalUrl) return null;
  return `it ended at ${own.finalUrl ?? 'no address'}, the solution at ${right.finalUrl ?? 'no address'}`;
}

/** The page at which a solution ends that only reads, if the other end was reached without asking the app for it. */
export function pageNotOpened(own: TrialEnd, right: TrialEnd, { volatile }: IgnoredState): Opened | null {
  const { state, sent } = leftBy(right, volatile);
  if (state || sent) return null;
  const [opened, wanted] = [own, right].map(({ evidence }) => openedIn(evidence));
  const page = wanted?.find(({ url }) => url === right.finalUrl);
  return page === undefined || opened?.some(({ url }) => url === page.url) === true ? null : page;
}

export interface Opened {
  url: string;
  status: number;
}

function openedIn(evidence: Evidence | null): Opened[] {
  const network = evidence?.network;
  if (network?.captured !== true) return [];
  const { entries, since } = network.value;
  return entries.flatMap(({ seq, method, url, status }) =>
    seq >= since.contract_enter && method === 'GET' && status !== null ? [{ url, status }] : [],
  );
}

/** The traces that distinguish a reference's end; if all are false, only its page does. */
export interface Left {
  /** A change of the app's state. */
  state: boolean;
  /** A request that carries something, or a download. */
  sent: boolean;
  answer: boolean;
  /** An address that is not the start's. */
  address: boolean;
}

export function leftBy(right: TrialEnd, volatile: readonly string[]): Left {
  const state = right.evidence?.app_state;
  return {
    state:
      state?.captured === true &&
      differing(state.value.start, state.value.now, { volatile, excepted: [], read: [] }).length > 0,
    sent: sentIn(right.evidence).size > 0 || downloadsIn(right.evidence).length > 0,
    answer: right.answer !== null,
    address: right.finalUrl !== right.startUrl,
  };
}

function differing(one: Json, other: Json, { volatile, excepted, read }: IgnoredState): string[] {
  // If no clause reads the state, an exception would hide all that a task does.
  const mayBeExcepted = (pointer: string): boolean =>
    read.length > 0 &&
    !read.some((path) => liesUnder(pointer, path) || liesUnder(path, pointer)) &&
    isValue(resolvePointer(one, pointer)) &&
    isValue(resolvePointer(other, pointer));
  const isExcepted = (pointer: string): boolean =>
    excepted.some((path) => liesUnder(pointer, path) && segmentsOf(path).length === segmentsOf(pointer).length);
  return differences(one, other, [...excepted, ...read, ...volatile]).filter(
    (pointer) => !volatile.some((path) => liesUnder(pointer, path)) && !(isExcepted(pointer) && mayBeExcepted(pointer)),
  );
}

function hasSentAll(own: Evidence | null, right: Evidence | null): boolean {
  const wanted = sentIn(right);
  const sent = sentIn(own);
  return wanted.size > 0 && [...wanted].every((each) => sent.has(each));
}

/** Lists the requests with a body in the agent's part of the episode. */
function sentIn(evidence: Evidence | null): Set<string> {
  const network = evidence?.network;
  if (network?.captured !== true) return new Set();
  const { entries, since } = network.value;
  const own = entries.filter(({ seq, request_body: body }) => seq >= since.contract_enter && body !== null);
  return new Set(own.map(({ method, url, request_body: body }) => `${method} ${url} ${body}`));
}

/** The names and hashes of downloads: the address of a file that the page makes is another each time. */
function downloadsIn(evidence: Evidence | null): string[] {
  const downloads = evidence?.downloads;
  if (downloads?.captured !== true) return [];
  return downloads.value.map(({ name, sha256 }) => `${name} ${sha256 ?? 'unknown'}`);
}

function isValue(value: Json | undefined): boolean {
  return value !== undefined && Object(value) !== value;
}
