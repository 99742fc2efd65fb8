import { capturedFrames } from '../../contract/dom/document.ts';
import { renderedText } from '../../contract/dom/rendered-text.ts';
import { type Evidence, finalUrlIn } from '../../contract/evidence.ts';
import { differences, resolvePointer } from '../../contract/json-pointer.ts';
import type { Json } from '../../contract/json.ts';
import type { Contract } from '../../contract/schema.ts';
import { normaliseText } from '../../contract/strings.ts';
import type { Intent, NearMiss } from '../../task/intent.ts';
import type { UserAction } from './user-actions.ts';

export interface Proposal {
  success: Contract;
  /** Null without app state, in which other damage would show. */
  guards: Contract | null;
}

export interface RecordedChanges {
  start: Evidence;
  end: Evidence;
  /** The end of the same steps when repeated: differences there arise by themselves. Null if they did not finish. */
  again: Evidence | null;
  /** Texts that no contract may hold. */
  secrets: ReadonlySet<string>;
  answer: string | null;
}

/** Longest list that is compared as a whole, in characters of JSON. */
const LONGEST_LIST = 1_500;
const LONGEST_TEXT = 120;

/** Proposes a contract for the changes of the app's state, or else of the page; null without changes. */
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

/** The changed places of the app's state; for a list that lost items, the whole list. */
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

/** Asserts the value at a changed place: all of it if it was the same when repeated, or else the parts that were. */
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

/** Asserts a text that was not there at the start: in an element with an id if there is one, or else anywhere. */
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

/** The lines of text on the last active page. */
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

export const MAX_NEAR_MISSES = 4;
const PASSIVE = new Set<Intent['do']>(['wait_for', 'settle', 'read', 'answer', 'not_possible']);

/** Proposes what a hasty agent would do: nothing, all but the last step, everything twice, another value or element. */
export function proposeNearMisses(
  actions: readonly UserAction[],
  solution: readonly Intent[],
  startUrl: string,
): NearMiss[] {
  const [first, ...further] = unfinished(solution);
  const all = [
    ...(first === undefined ? [] : [first]),
    {
      why: 'it was done twice',
      steps: [...acting(solution), { do: 'go' as const, url: startUrl }, ...acting(solution)],
    },
    ...actions.toReversed().flatMap((action) => altered(action, solution)),
    ...further,
  ];
  const seen = new Set<string>();
  return all.filter(({ steps }) => {
    const text = JSON.stringify(steps);
    return !seen.has(text) && seen.add(text).size > 0;
  });
}

function acting(steps: readonly Intent[]): Intent[] {
  return steps.filter(({ do: verb }) => verb !== 'answer' && verb !== 'not_possible');
}

function unfinished(solution: readonly Intent[]): NearMiss[] {
  const last = solution.findLastIndex((step) => !PASSIVE.has(step.do));
  const before = solution.slice(0, Math.max(0, last));
  const looked: NearMiss = { why: 'the page was only looked at', steps: [{ do: 'read' }] };
  if (before.every((step) => PASSIVE.has(step.do))) return [looked];
  const step = solution[last];
  return [{ why: `the last step was left out: ${step === undefined ? '' : stepInWords(step)}`, steps: before }, looked];
}

function altered({ step, others, type }: UserAction, solution: readonly Intent[]): NearMiss[] {
  const at = solution.indexOf(step);
  if (at === -1) return [];
  const instead = (other: Intent, why: string): NearMiss => {
    const own = step.do === 'fill' ? step.text : '';
    // Does not wait for texts that show what was typed or done: they would not appear.
    const waits = (each: Intent): boolean => each.do === 'wait_for' && (own === '' || each.text.includes(own));
    const after = solution.slice(at + 1).filter((each) => !waits(each));
    return { why, steps: [...solution.slice(0, at), other, ...after] };
  };
  if (step.do === 'fill') {
    const text = otherText(step.text, type ?? 'text');
    return text === null ? [] : [instead({ ...step, text }, `another value was written: ${text}`)];
  }
  if (step.do === 'choose') {
    return others.slice(0, 1).map((option) => instead({ ...step, option }, `another option was chosen: ${option}`));
  }
  if (step.do === 'click') {
    return others.slice(0, 2).map((name) => instead({ ...step, name }, `another one was clicked: ${name}`));
  }
  if (step.do !== 'dialog') return [];
  const action = step.action === 'accept' ? 'dismiss' : 'accept';
  return [instead({ do: 'dialog', action }, `the dialog was ${action === 'accept' ? 'accepted' : 'dismissed'}`)];
}

function otherText(text: string, type: string): string | null {
  if (text.includes('${')) return null;
  if (type === 'email') return text === 'ada@example.org' ? 'bob@example.org' : 'ada@example.org';
  if (type === 'number' || /^\d+$/.test(text)) return String(Number(text) + 1);
  return type === 'text' || type === 'textarea' || type === 'search' ? `${text} too` : null;
}

export function stepInWords(step: Intent): string {
  const { do: verb, ...rest } = step;
  const words = Object.entries(rest).map(([field, value]) => {
    const isWord = field === 'role' || field === 'action' || field === 'key' || typeof value !== 'string';
    return isWord && typeof value !== 'object' ? String(value) : JSON.stringify(value);
  });
  return [verb.replaceAll('_', ' '), ...words].join(' ');
}
