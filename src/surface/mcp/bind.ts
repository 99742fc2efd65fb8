import { compileGroups } from '../../contract/pattern.ts';
import { type Bind, isElementStep } from '../../task/intent.ts';
import { elementFor } from '../aria/element-for.ts';
import { elementIn, type SnapshotElement } from '../../task/snapshot-text.ts';
import type { SeatTab } from '../surface.ts';
import { bindElement, bindTab } from '../binding.ts';
import type { Values } from '../placeholders.ts';
import type { BindingFile } from './binding-file.ts';

/** The elements that a reply shows, in its order. */
type ElementsOf = (text: string) => SnapshotElement[];

/** Says that a surface's file binds no step at all. */
export const NO_BINDING = 'its file has no binding for scripted steps';

/** Binds the steps of one session; it knows the tab that was chosen last. Null: the server's file does not say how. */
export function bindingOf(binding: BindingFile | null, tabs: () => readonly SeatTab[]): Bind {
  if (binding === null) return () => ({ kind: 'impossible', why: NO_BINDING });
  const elements = elementsBy(binding);
  const chosen = new ChosenTab(tabs);
  return (intent, last) => {
    if (intent.do === 'switch_tab') chosen.choose(intent.index);
    if (!isElementStep(intent)) return bindTab(binding, intent, chosen.values);
    return bindElement(binding, intent, elementFor(intent, elements(last?.text ?? '')), chosen.values);
  };
}

/**
 * The tab that was chosen last. A solution counts the tabs that pages open; the tools number them as they are in the browser,
 * their own among them.
 */
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

/** The elements that a reply of the server shows, by its own ways to name them. */
export function elementsBy({ elements }: BindingFile): ElementsOf {
  const ways = elements.map(elementInLine);
  return (text) =>
    text.split('\n').flatMap((line) => {
      for (const way of ways) {
        const element = way(line);
        if (element !== null) return [element];
      }
      return [];
    });
}

function elementInLine(pattern: string): (line: string) => SnapshotElement | null {
  if (pattern === 'aria') return elementIn;
  const groupsIn = compileGroups(pattern);
  return (line) => {
    const groups = groupsIn(line);
    if (groups === null) return null;
    const { ref = '', role = '', name = '' } = groups;
    return { ref, role, name };
  };
}
