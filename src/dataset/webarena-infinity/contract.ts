import { canonicalJson } from '../../contract/canonical.ts';
import type { Json } from '../../contract/json.ts';
import { escaped, liesUnder } from '../../contract/json-pointer.ts';
import type { TaskContracts } from '../../contract/judge-task.ts';
import type { Contract } from '../../contract/schema.ts';
import type { Fact } from '../../messages/message.ts';
import { fact } from '../../messages/messages.ts';

/** The part of the app's state that the page has put there. */
export const PAGE = '/page';

/** Most places that a contract can name, within the limit on its assertions. */
const MAX_PLACES = 250;

interface Change {
  pointer: string;
  /** The value at the right end, undefined for what it lacks. */
  value: Json | undefined;
  /** The new entry that it belongs to, so that ids and times are the app's; else null. */
  entry: string | null;
}

export type DraftContract = { ok: true; contracts: TaskContracts } | { ok: false; why: Fact };

/** Places that the drafts of an app treat otherwise; in pointers, `*` is any one segment. */
interface Places {
  /** May change: the page changes them by itself. */
  except: readonly string[];
  /** May hold anything where they change: the page fills them in. */
  drawn: readonly string[];
}

const NO_PLACES: Places = { except: [], drawn: [] };

/**
 * The contract that follows from seed and right end: what differs has its new value, and all else is unchanged, refused states
 * included. Ids, counters and times are drawn by the app, so they may be anything.
 */
export function contractFrom(seed: Json, end: Json, goal: string, { except, drawn } = NO_PLACES): DraftContract {
  const changes = changesOf(seed, end, { at: PAGE, goal, entry: null });
  const free = [...except, ...drawn];
  const asserted = changes.filter(
    ({ pointer, value, entry }) =>
      !isDrawn(pointer, value, entry !== null) && !free.some((each) => liesUnder(pointer, each)),
  );
  const added = new Set(changes.flatMap(({ entry }) => entry ?? []));
  const known = new Set(asserted.flatMap(({ entry }) => entry ?? []));
  const children = [
    ...asserted.map(({ pointer, value }): Contract => {
      const state = { kind: 'app_state', pointer } as const;
      return value === undefined ? { ...state, absent: true } : { ...state, equals: value };
    }),
    ...[...added].filter((entry) => !known.has(entry)).map(exists),
  ];
  if (children.length === 0) return { ok: false, why: fact('infinity_without_change') };
  if (children.length > MAX_PLACES) {
    return { ok: false, why: fact('infinity_many_changes', { count: children.length, most: MAX_PLACES }) };
  }
  const places = [...changes.map(({ pointer, entry }) => entry ?? pointer), ...counters(seed), ...except];
  return {
    ok: true,
    contracts: {
      success: { kind: 'and', children },
      guards: { kind: 'unchanged', except: [...new Set(places)] },
    },
  };
}

function exists(pointer: string): Contract {
  return { kind: 'not', child: { kind: 'app_state', pointer, absent: true } };
}

interface Within {
  at: string;
  goal: string;
  entry: string | null;
}

function changesOf(before: Json | undefined, after: Json | undefined, within: Within): Change[] {
  const { at } = within;
  if (before !== undefined && after !== undefined) {
    if (canonicalJson(before) === canonicalJson(after)) return [];
    if (isRecord(before) && isRecord(after)) {
      return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
        changesOf(before[name], after[name], { ...within, at: `${at}/${escaped(name)}` }),
      );
    }
    const listed = Array.isArray(before) && Array.isArray(after) ? listChanges(before, after, within) : null;
    if (listed !== null) return listed;
  }
  return [{ pointer: at, value: after, entry: within.entry }];
}

/** The changes of a list of records, by a field that names them; null if none does, or those that stay are in another order. */
function listChanges(before: readonly Json[], after: readonly Json[], within: Within): Change[] | null {
  const [olds, news] = [before.filter(isRecord), after.filter(isRecord)];
  if (olds.length !== before.length || news.length !== after.length) return null;
  const key = fieldsOf([...olds, ...news]).find((field) => [olds, news].every((list) => names(list, field)));
  if (key === undefined) return null;
  const byKey = (list: readonly Entry[]) => new Map(list.map((entry) => [textOf(entry, key), entry]));
  const [old, young] = [byKey(olds), byKey(news)];
  const kept = [...old.keys()].filter((name) => young.has(name));
  if ([...young.keys()].filter((name) => old.has(name)).some((name, place) => name !== kept[place])) return null;
  const at = (field: string, name: string) => `${within.at}/[${escaped(`${field}=${name}`)}]`;
  const own = ownField(
    news,
    new Set([...young].flatMap(([name, entry]) => (old.has(name) ? [] : [entry]))),
    within.goal,
  );
  return [...new Set([...old.keys(), ...young.keys()])].flatMap((name): Change[] => {
    const [entry, isNew] = [young.get(name), !old.has(name)];
    if (entry === undefined) return [{ pointer: at(key, name), value: undefined, entry: null }];
    if (!isNew) return changesOf(old.get(name), entry, { ...within, at: at(key, name) });
    const known = own ?? key;
    const added = at(known, textOf(entry, known));
    const fields = Object.entries(entry).filter(([field]) => field !== known);
    return fields.flatMap(([field, value]) => [{ pointer: `${added}/${escaped(field)}`, value, entry: added }]);
  });
}

type Entry = Record<string, Json>;

function isRecord(value: Json): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldsOf(list: readonly Entry[]): string[] {
  const fields = Object.keys(list[0] ?? {});
  return fields.toSorted((a, b) => Number(isId(b)) - Number(isId(a)));
}

function textOf(entry: Entry, field: string): string {
  const value = entry[field];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Whether each entry has a text or number of its own in the field. */
function names(list: readonly Entry[], field: string): boolean {
  const texts = new Set(list.map((entry) => textOf(entry, field)));
  return texts.size === list.length && !texts.has('');
}

/**
 * The field by which new entries are known, although the app draws their ids: one in which each has a text that no other entry has,
 * of the goal if possible. One for all, since a text that an old entry shares would no longer name that one.
 */
function ownField(list: readonly Entry[], added: ReadonlySet<Entry>, goal: string): string | undefined {
  const isOwn = (entry: Entry, field: string): boolean => {
    const text = entry[field];
    if (typeof text !== 'string' || text === '' || text.includes('\n') || isDrawn(`/${field}`, text, true))
      return false;
    return list.filter((other) => other[field] === text).length === 1;
  };
  const fields = fieldsOf([...added]).filter((field) => [...added].every((entry) => isOwn(entry, field)));
  const isNamed = (field: string): boolean => [...added].every((entry) => goal.includes(textOf(entry, field)));
  return fields.find(isNamed) ?? fields[0];
}

function isId(field: string): boolean {
  return /^(id|iid|uuid)$/i.test(field);
}

const COUNTER = /^_?next/i;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:/;
const MAY_BE_ASKED = /start|end|due|until|schedul|snooz|remind|expir|send/i;

/** Whether the app draws a value by itself: a counter, the id of a new entry, or the time of a change. */
function isDrawn(pointer: string, value: Json | undefined, isAdded: boolean): boolean {
  const field = pointer.slice(pointer.lastIndexOf('/') + 1);
  if (COUNTER.test(field)) return true;
  if (isAdded && isId(field)) return true;
  return typeof value === 'string' && MOMENT.test(value) && !MAY_BE_ASKED.test(field);
}

function counters(seed: Json): string[] {
  return isRecord(seed)
    ? Object.keys(seed).flatMap((name) => (COUNTER.test(name) ? [`${PAGE}/${escaped(name)}`] : []))
    : [];
}
