import type { CapturedElement } from '../../contract/dom/captured-tree.ts';
import { isDisabled } from '../../contract/dom/form-state.ts';
import type { SeenElement, Sight } from '../../task/sight.ts';
import type { ShownHtml } from './shown-html.ts';
import { DocumentNames } from './name-of.ts';
import { roleOf } from './role-of.ts';
import { takesText } from './serialise.ts';
import { linesOf } from './shown-texts.ts';
import type { TabDocument } from './tab-reader.ts';

/** Reads the HTML as an agent does: its elements by role and name, its lines, and its fields. */
export function sightOf(shown: ShownHtml): Sight {
  const found: Sight = { elements: [], texts: [] };
  collect(shown.tab, shown, found);
  return found;
}

function collect(tab: TabDocument, shown: ShownHtml, found: Sight): void {
  for (const line of linesOf(tab.frame.document, shown)) found.texts.push(line);
  const names = new DocumentNames(tab, shown);
  for (const element of tab.frame.elements) {
    if (!shown.written.has(element)) continue;
    const seen = seenElement(element, names);
    if (seen !== null && !isDisabled(element) && !isHidden(element)) found.elements.push(seen);
    const value = tab.values.get(element.index) ?? '';
    if (takesText(element) && value !== '') found.texts.push(`${seen?.name ?? ''} ${value}`.trim());
    const content = tab.inside.get(element.index);
    if (content !== undefined) collect(content, shown, found);
  }
}

function seenElement(element: CapturedElement, names: DocumentNames): SeenElement | null {
  const role = roleOf(element);
  const name = role === null ? '' : names.nameOf(element, role);
  if (role === null || name === '') return null;
  const options = element.name === 'select' ? names.optionsOf(element) : [];
  return { role, name, options };
}

/** Whether the HTML says so. */
function isHidden(element: CapturedElement): boolean {
  let at: CapturedElement['parent'] = element;
  for (; at.kind === 'element'; at = at.parent) if (at.attributes.has('hidden')) return true;
  return false;
}
