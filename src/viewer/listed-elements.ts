import type { JsonObject } from '../contract/json.ts';
import { shortened } from '../messages/printable.ts';
import type { EpisodeEvent } from '../episode/events.ts';
import { elementIn, type SnapshotElement } from '../task/snapshot-text.ts';

type Call = Extract<EpisodeEvent, { type: 'call' }>;
type Result = Extract<EpisodeEvent, { type: 'result' }>;

/** An element that a call names by a reference, as the reply to an earlier step listed it for the agent. Pages write names. */
export interface ListedElement extends SnapshotElement {
  /** The argument that holds the reference. */
  argument: string;
  /** The step whose reply listed it last. */
  listedIn: number;
}

/** Longest name, in characters: pages write them. */
const LONGEST_NAME = 60;
/** A longer line lists no element that anybody could read; and most elements of one episode, which a page must not make endless. */
const MOST = { characters: 5_000, elements: 20_000 };
/** Arguments in which surfaces take references. What is typed into a field may look like one. */
const REFERENCES = /^(?:ref|target|uid|selector|startRef|endRef|from_uid|to_uid)$/;
/** Before a reference where it is written as a selector of Playwright. */
const SELECTOR = /^aria-ref=/;

// chrome-devtools-mcp: `uid=1_5 button "Send" focused`.
const OF_UID = /^ *uid=(\d+_\d+) ([A-Za-z]+) "((?:[^"\\]|\\.)*)"/;
// Stagehand: `[0-41] button: Send`.
const OF_STAGEHAND = /^ *\[(\d+-\d+)\] (?:scrollable, )?([A-Za-z]+): (.+)$/;

/** Knows, while the events of an episode go by, which elements its agent had been shown under which references. */
export class ListedElements {
  readonly #listed = new Map<string, Omit<ListedElement, 'argument'>>();

  take({ step, text }: Pick<Result, 'step' | 'text'>): void {
    for (const line of text.split('\n')) {
      const element = line.length > MOST.characters ? null : listedIn(line);
      if (element === null) continue;
      if (this.#listed.has(element.ref) || this.#listed.size < MOST.elements) {
        this.#listed.set(element.ref, { ...element, name: shortened(element.name, LONGEST_NAME), listedIn: step });
      }
    }
  }

  /** The elements that a call names; none where nothing that was recorded says what they are. */
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

/** Names an element as people do, not yet printable: `textbox "Your name"`; by its role alone where it has no name. */
export function elementText({ role, name }: Pick<ListedElement, 'role' | 'name'>): string {
  return name === '' ? role : `${role} "${name}"`;
}

/** Says a call as people do, not yet printable: `click button "Send"`; other arguments by their values. */
export function callText({ tool, args }: Pick<Call, 'tool' | 'args'>, named: readonly ListedElement[]): string {
  const others = Object.values(otherArguments(args, named)).map((each) =>
    typeof each === 'string' ? shortened(each, LONGEST_NAME) : JSON.stringify(each),
  );
  return [tool, ...named.map(elementText), ...others].join(' ');
}

/** The arguments of a call without those that hold references of these elements, nor the agent's own words for one of them. */
export function otherArguments(args: JsonObject, named: readonly ListedElement[]): JsonObject {
  if (named.length === 0) return args;
  const left = new Set(['element', ...named.map(({ argument }) => argument)]);
  return Object.fromEntries(Object.entries(args).filter(([argument]) => !left.has(argument)));
}
