import { compileGroups } from '../../contract/pattern.ts';
import { type Bind, type Binding, type Drop, type ElementStep, isElementStep } from '../../task/intent.ts';
import { elementFor } from '../aria/elements.ts';
import { ariaElements, elementsOf, type ReadLine, type SnapshotElement } from '../../task/snapshot-text.ts';
import type { SeatTab } from '../surface.ts';
import { bindElement, bindTab, callOf, CloserLook, filledObject, type Values, placeholdersIn } from '../binding.ts';
import type { BindingFile, CallPattern } from './server-file.ts';
import { EARLIER_VIEWS, type TargetReport } from '../../task/target.ts';
import type { ToolCall, ToolReply } from '../../task/tool.ts';
import type { CallTargets } from './mcp-session.ts';

type ElementsOf = (text: string) => SnapshotElement[];

/**
 * Binds the steps of one session.
 * @param binding undefined if the server's file has none
 * @param paths of the files that the task gives, by name
 */
export function bindingOf(
  binding: BindingFile | undefined,
  tabs: () => readonly SeatTab[],
  paths: ReadonlyMap<string, string> = new Map(),
): Bind {
  if (binding === undefined) return () => ({ kind: 'impossible', why: 'its file has no binding for scripted steps' });
  const elements = elementsBy(binding);
  const chosen = new ChosenTab(tabs);
  const { upload: uploads = [], closer_look: closerLook, ...calls } = binding;
  /** The calls of an upload that were made. */
  let made = 0;
  const bindUpload = async (intent: ElementStep & { do: 'upload' }, find: FindElement): Promise<Binding> => {
    const step = { ...intent, files: intent.files.map((name) => paths.get(name) ?? name) };
    const bound = await bindElement({ ...calls, upload: uploads[made] }, step, find, chosen.values);
    if (bound.kind !== 'call') return bound;
    made = (made + 1) % uploads.length;
    return made === 0 ? bound : { ...bound, kind: 'begin' };
  };
  const closer = new CloserLook(() =>
    closerLook === undefined ? undefined : callOf(closerLook.tool, filledObject(closerLook.args, chosen.values)),
  );
  const bindOn = async (intent: ElementStep, find: FindElement): Promise<Binding> =>
    closer.after(
      await (intent.do === 'upload' ? bindUpload(intent, find) : bindElement(calls, intent, find, chosen.values)),
    );
  return (intent, last) => {
    if (intent.do === 'switch_tab') chosen.choose(intent.index);
    if (!isElementStep(intent)) return bindTab(calls, intent, chosen.values);
    const shown = elements(last?.text ?? '');
    return bindOn(intent, (step) => elementFor(step, shown));
  };
}

type FindElement = (step: ElementStep | Drop) => SnapshotElement | undefined;

/** The tab that was chosen last. A solution counts the tabs that pages open; tools count those that they opened for themselves, too. */
export class ChosenTab {
  readonly #tabs: () => readonly SeatTab[];
  #chosen: { index: number; id: string } | null = null;

  constructor(tabs: () => readonly SeatTab[]) {
    this.#tabs = tabs;
  }

  /** @param index as a solution counts, from 0 */
  choose(index: number): void {
    const all = this.#tabs();
    const meant = all.filter(({ isTools }) => !isTools)[index];
    this.#chosen = meant === undefined ? { index, id: '' } : { index: all.indexOf(meant), id: meant.id };
  }

  /** `tab` from 1, `index` from 0; `tab_id` is null where no such tab is open. */
  get values(): Values {
    const { index, id } = this.#chosen ?? { index: 0, id: this.#tabs()[0]?.id ?? '' };
    return { index, tab: index + 1, tab_id: id === '' ? null : id };
  }
}

/** Reads the elements from a reply, by the server's own patterns. */
export function elementsBy({ elements, labels = [] }: Pick<BindingFile, 'elements' | 'labels'>): ElementsOf {
  const readers = elements.map(elementsInLine);
  const labelled = labels.map((pattern) => compileGroups(pattern));
  const labelIn = (line: string): string | null =>
    labelled.map((groupsIn) => groupsIn(line)[0]?.['name']).find((name) => name !== undefined) ?? null;
  return (text) => elementsOf(text, readers, labelIn);
}

function elementsInLine(pattern: string): ReadLine {
  if (pattern === 'aria') return ariaElements;
  const groupsIn = compileGroups(pattern);
  return (line) => groupsIn(line).map(({ ref = '', role = '', name = '' }) => ({ ref, role, name }));
}

/**
 * Reports whether the reference that a call names stood in what a foreign server has shown. How many things it matches, and why it was
 * not acted on, only the server knows.
 */
export class ServerTargets implements CallTargets {
  /** Calls whose target is known: a reference, or nothing. */
  readonly #patterns: readonly CallPattern[];
  readonly #elementsOf: ElementsOf;
  readonly #refArguments: ReadonlySet<string>;
  /** The references of each view, the last first. */
  #views: readonly ReadonlySet<string>[] = [];

  constructor(binding: BindingFile) {
    const {
      elements: _elements,
      labels: _labels,
      click,
      double_click,
      right_click,
      hover,
      drag,
      fill,
      choose,
      upload = [],
      ...others
    } = binding;
    const onElements = boundIn([click, double_click, right_click, hover, drag, fill, choose, ...upload]);
    const onOthers = boundIn(Object.values(others));
    this.#elementsOf = elementsBy(binding);
    this.#refArguments = new Set([...onElements, ...onOthers].flatMap(refArgumentsOf));
    this.#patterns = [...onElements.filter((pattern) => refArgumentsOf(pattern).length > 0), ...onOthers];
  }

  reportOf({ tool, args }: ToolCall, reply: ToolReply): TargetReport | null {
    const refs = Object.entries(args).flatMap(([name, value]) =>
      this.#refArguments.has(name) && (typeof value === 'string' || typeof value === 'number') ? [String(value)] : [],
    );
    const [last, ...earlier] = this.#views;
    const shown = refs.every((ref) => last?.has(ref) === true);
    const before = refs.every((ref) => earlier.some((view) => view.has(ref)));
    const found = new Set(this.#elementsOf(reply.text).map(({ ref }) => ref));
    if (found.size > 0) this.#views = [found, ...this.#views].slice(0, 1 + EARLIER_VIEWS);
    if (refs.length > 0) {
      const isGone = before && !shown && !reply.ok;
      const matched = { matched_then: null, matched_now: isGone ? 0 : null, actionable: null };
      return { shown, shown_before: before, ...matched, dispatched: reply.ok, invented: [] };
    }
    const isKnown = this.#patterns.some((pattern) => pattern.tool === tool);
    return isKnown ? null : { untold: 'what the other arguments of a foreign tool name is not known' };
  }
}

function boundIn(patterns: readonly (CallPattern | undefined)[]): CallPattern[] {
  return patterns.filter((pattern) => pattern !== undefined);
}

function refArgumentsOf({ args }: CallPattern): string[] {
  return Object.keys(args).filter((name) => {
    const value = args[name];
    return typeof value === 'string' && placeholdersIn(value).some((each) => each === 'ref' || each === 'to_ref');
  });
}
