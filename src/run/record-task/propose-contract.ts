import { capturedFrames } from '../../contract/dom/document.ts';
import { renderedText } from '../../contract/dom/rendered-text.ts';
import { type Evidence, finalUrlIn } from '../../contract/evidence.ts';
import { differences, resolvePointer } from '../../contract/json-pointer.ts';
import type { Json } from '../../contract/json.ts';
import type { Contract } from '../../contract/schema.ts';
import { normaliseText } from '../../contract/strings.ts';

/** A contract that the changes of a recording suggest. */
export interface Proposal {
  success: Contract;
  /** Null if nothing shows what else might be damaged. */
  guards: Contract | null;
}

export interface RecordedChanges {
  start: Evidence;
  end: Evidence;
  /** The end of the same steps, done once more; null where they did not come to an end. What differs there changes by itself. */
  again: Evidence | null;
  /** Texts that may stand in no contract. */
  secrets: ReadonlySet<string>;
  /** The answer that is asked for; null where none is. */
  answer: string | null;
}

/** Longest list, in characters of JSON, that is compared as a whole. */
const LONGEST_LIST = 1_500;
const LONGEST_TEXT = 120;

/** Proposes a contract for what has changed: in the app's state if there is one, otherwise on the page; null if nothing has. */
export function proposeContract(changes: RecordedChanges): Proposal | null {
  const { answer, start, end, again } = changes;
  const changed = changedPlaces(end);
  const clauses = changed.flatMap((pointer) => stateClauses(pointer, changes));
  const answered: Contract[] = answer === null ? [] : [{ kind: 'answer', one_of: [answer] }];
  const isShown = clauses.length + answered.length === 0;
  const shown = isShown ? [...urlClauses(start, end, again), ...textClauses(changes)] : [];
  const all = [...answered, ...clauses, ...shown];
  const [only] = all;
  if (only === undefined) return null;
  return { success: all.length === 1 ? only : { kind: 'and', children: all }, guards: guardsOf(end, changed) };
}

/** The places of the app's state that have changed; of a list that lost or moved items, the whole list. */
function changedPlaces({ app_state: state }: Evidence): string[] {
  if (!state.captured) return [];
  const { start, now } = state.value;
  const places = differences(start, now).map((pointer) => {
    const above = pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));
    const [before, after] = [resolvePointer(start, above), resolvePointer(now, above)];
    if (pointer === '' || !Array.isArray(before) || !Array.isArray(after)) return pointer;
    return before.length > after.length && JSON.stringify(after).length <= LONGEST_LIST ? above : pointer;
  });
  return [...new Set(places)];
}

function guardsOf({ app_state: state }: Evidence, changed: readonly string[]): Contract | null {
  if (!state.captured || changed.includes('')) return null;
  return changed.length === 0 ? { kind: 'unchanged' } : { kind: 'unchanged', except: [...changed] };
}

/** Assertions on what is now at a changed place: as a whole if it came out the same once more, else the parts of it that did. */
function stateClauses(pointer: string, changes: RecordedChanges): Contract[] {
  const { end, again, secrets } = changes;
  if (!end.app_state.captured) return [];
  const now = resolvePointer(end.app_state.value.now, pointer);
  const twice = again?.app_state.captured === true ? resolvePointer(again.app_state.value.now, pointer) : now;
  if (now === undefined) return twice === undefined ? [{ kind: 'app_state', pointer, absent: true }] : [];
  const holdsSecret = [...secrets].some((secret) => JSON.stringify(now).includes(JSON.stringify(secret).slice(1, -1)));
  if (differences(now, twice).length === 0 && !holdsSecret) return [{ kind: 'app_state', pointer, equals: now }];
  return partsOf(now).flatMap((part) => stateClauses(`${pointer}/${part}`, changes));
}

function partsOf(value: Json): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function urlClauses(start: Evidence, end: Evidence, again: Evidence | null): Contract[] {
  const url = finalUrlIn(end);
  if (url === null || url === '' || url === finalUrlIn(start)) return [];
  if (again !== null && finalUrlIn(again) !== url) return [];
  return [{ kind: 'url', pattern: `^${url.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)}$` }];
}

/** A text that was not there at the start: in an element with an id where one has it, else anywhere on the page. */
function textClauses({ start, end, again, secrets }: RecordedChanges): Contract[] {
  const before = new Set(shownLines(start));
  const twice = again === null ? null : new Set(shownLines(again));
  const isFresh = (text: string): boolean =>
    text !== '' &&
    text.length <= LONGEST_TEXT &&
    !before.has(text) &&
    twice?.has(text) !== false &&
    ![...secrets].some((secret) => text.includes(secret));
  const named = namedTexts(end).find(({ text }) => isFresh(text));
  if (named !== undefined) return [{ kind: 'dom_text', selector: named.selector, contains: named.text }];
  const text = shownLines(end).find(isFresh);
  return text === undefined ? [] : [{ kind: 'dom_text', contains: text }];
}

function framesOf({ pages, last_active: active }: Evidence) {
  const dom = pages.find(({ id }) => id === active)?.dom;
  return dom?.captured === true ? capturedFrames(dom.value).frames : [];
}

/** The lines of text that the page which was active last shows. */
export function shownLines(evidence: Evidence): string[] {
  const lines = framesOf(evidence).flatMap(({ elements }) => {
    const body = elements.find(({ name }) => name === 'body');
    return body === undefined ? [] : renderedText(body).split('\n');
  });
  return lines.filter((line) => !line.includes('\t')).map(normaliseText);
}

/** Texts of elements with an id that looks written by hand. */
function namedTexts(evidence: Evidence): { selector: string; text: string }[] {
  return framesOf(evidence).flatMap(({ elements }) =>
    elements.flatMap((element) => {
      const id = element.attributes.get('id') ?? '';
      if (!/^[A-Za-z][A-Za-z-]*$/.test(id)) return [];
      return [{ selector: `#${id}`, text: normaliseText(renderedText(element)) }];
    }),
  );
}
