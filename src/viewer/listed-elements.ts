import type { JsonObject } from '../contract/json.ts';
import { shortened } from '../messages/printable.ts';
import type { EpisodeEvent } from '../episode/events.ts';
import { elementIn, type SnapshotElement } from '../task/snapshot-text.ts';

type Call = Extract<EpisodeEvent, { type: 'call' }>;
type Result = Extract<EpisodeEvent, { type: 'result' }>;

/** An element that a call refers to, as an earlier reply listed it. Pages write names. */
export interface ListedElement extends SnapshotElement {
  argument: string;
  /** The last step whose reply listed it. */
  listedIn: number;
  /** Its place among the elements of the same role and name in that reply, and their number. */
  nth: number;
  same: number;
}

const LONGEST_NAME = 60;
/** Longest line, and most elements of one episode: pages decide both. */
const MAX = { characters: 5_000, elements: 20_000 };
/** Arguments that hold references; typed text may look like one. */
const REFERENCES = /^(?:ref|target|uid|selector|startRef|endRef|from_uid|to_uid)$/;
/** Playwright's prefix of a reference as a selector. */
const SELECTOR = /^aria-ref=/;

// chrome-devtools-mcp: `uid=1_5 button "Send" focused`.
const OF_UID = /^ *uid=(\d+_\d+) ([A-Za-z]+) "((?:[^"\\]|\\.)*)"/;
// Stagehand: `[0-41] button: Send`.
const OF_STAGEHAND = /^ *\[(\d+-\d+)\] (?:scrollable, )?([A-Za-z]+): (.+)$/;

export class ListedElements {
  readonly #listed = new Map<string, Omit<ListedElement, 'argument'>>();

  take({ step, text }: Pick<Result, 'step' | 'text'>): void {
    const counts = new Map<string, number>();
    const found = text.split('\n').flatMap((line) => {
      const element = line.length > MAX.characters ? null : listedIn(line);
      if (element === null) return [];
      const nth = (counts.get(elementText(element)) ?? 0) + 1;
      counts.set(elementText(element), nth);
      return [{ ...element, nth }];
    });
    for (const element of found) {
      if (!this.#listed.has(element.ref) && this.#listed.size >= MAX.elements) continue;
      const [name, same] = [shortened(element.name, LONGEST_NAME), counts.get(elementText(element)) ?? 1];
      this.#listed.set(element.ref, { ...element, name, same, listedIn: step });
    }
  }

  namedBy({ args }: Pick<Call, 'args'>): ListedElement[] {
    return Object.entries(args).flatMap(([argument, value]) => {
      if (typeof value !== 'string' || !REFERENCES.test(argument)) return [];
      const found = this.#listed.get(value.replace(SELECTOR, ''));
      return found === undefined ? [] : [{ ...found, argument }];
    });
  }
}

function listedIn(line: string): SnapshotElement | null {
  const known = elementIn(line);
  if (known !== null) return known;
  const [, ref, role, name] = OF_UID.exec(line) ?? OF_STAGEHAND.exec(line) ?? [];
  return ref === undefined || role === undefined || name === undefined ? null : { ref, role, name };
}

/** `textbox "Your name"`, not yet printable. */
export function elementText({ role, name }: Pick<ListedElement, 'role' | 'name'>): string {
  return name === '' ? role : `${role} "${name}"`;
}

/** `, the first of 3 with this role and name`; empty for an element without a name, or without others of it. */
export function amongText({ name, nth, same }: ListedElement): string {
  if (name === '' || same === 1) return '';
  return `, ${nth === 1 ? 'the first' : `number ${nth}`} of ${same} with this role and name`;
}

/** `click button "Send"`, not yet printable. */
export function callText({ tool, args }: Pick<Call, 'tool' | 'args'>, named: readonly ListedElement[]): string {
  const others = Object.values(otherArguments(args, named)).map((each) =>
    typeof each === 'string' ? shortened(each, LONGEST_NAME) : JSON.stringify(each),
  );
  return [tool, ...named.map(elementText), ...others].join(' ');
}

/** The arguments of a call without references to these elements and the agent's names for them. */
export function otherArguments(args: JsonObject, named: readonly ListedElement[]): JsonObject {
  if (named.length === 0) return args;
  const left = new Set(['element', ...named.map(({ argument }) => argument)]);
  return Object.fromEntries(Object.entries(args).filter(([argument]) => !left.has(argument)));
}
