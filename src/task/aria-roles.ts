import type { Problem } from '../contract/validation/problem.ts';
import { didYouMean } from '../contract/nearest-name.ts';
import type { Intent } from './intent.ts';

/** The roles of WAI-ARIA 1.3 that an element can have, and those that browsers show beside them: a frame, plain text. */
const ROLES =
  'alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox comment complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell group heading iframe image img insertion link list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox sectionfooter sectionheader separator slider spinbutton status strong subscript suggestion superscript switch tab table tablist tabpanel term text textbox time timer toolbar tooltip tree treegrid treeitem'.split(
    ' ',
  );

/** Roles that no element has: a step that looks for one can never be carried out. */
export function unknownRoles(steps: readonly Intent[], path: Problem['path']): Problem[] {
  return steps.flatMap((step, index) => {
    if (step.do !== 'click' || ROLES.includes(step.role)) return [];
    const message = `"${step.role}" is no ARIA role, so nothing can ever be found by it${didYouMean(step.role, ROLES)}`;
    return [{ path: [...path, index, 'role'], message }];
  });
}
