import { z } from 'zod';
import { JsonObject } from '../../contract/json.ts';
import { patternProblem } from '../../contract/pattern.ts';
import { placeholdersIn } from './placeholders.ts';

/** A call of one of a server's tools, with placeholders in its arguments. */
export const CallPattern = z.strictObject({
  tool: z.string().min(1, 'is empty; name a tool of the server'),
  args: JsonObject.default({}),
});
export type CallPattern = z.infer<typeof CallPattern>;

/** A call that may ask for these, and for `{{tab}}`: the number of the tab that was chosen last, counted from 1. */
function callAbout(...names: string[]) {
  const known = [...names, 'tab'];
  return CallPattern.superRefine(({ args }, context) => {
    const unknown = placeholdersIn(JSON.stringify(args)).find((name) => !known.includes(name));
    if (unknown === undefined) return;
    const message = `asks for {{${unknown}}}; this step knows ${known.map((name) => `{{${name}}}`).join(', ')}`;
    context.addIssue({ code: 'custom', path: ['args'], message });
  });
}

const Elements = z.string().superRefine((text, context) => {
  const message = text === 'aria' ? null : (groupProblem(text) ?? patternProblem(text));
  if (message !== null) context.addIssue({ code: 'custom', message });
});

function groupProblem(text: string): string | null {
  const missing = ['ref', 'role', 'name'].find((group) => !text.includes(`(?<${group}>`));
  return missing === undefined ? null : `has no group (?<${missing}>…); write "aria", or a pattern for one line`;
}

/** How the steps of a solution are done with a server's tools. What is left out cannot be done with them. */
export const BindingFile = z.strictObject({
  /** Shows the page: its elements, each with a reference. */
  look: callAbout(),
  /** How a line of that names an element: as our own `aria` does, or by a pattern with the groups `ref`, `role` and `name`. */
  elements: Elements,
  go: callAbout('url').optional(),
  click: callAbout('role', 'name', 'ref').optional(),
  fill: callAbout('role', 'name', 'ref', 'text').optional(),
  choose: callAbout('role', 'name', 'ref', 'option').optional(),
  press: callAbout('key').optional(),
  switch_tab: callAbout('index').optional(),
  accept: callAbout('text').optional(),
  dismiss: callAbout().optional(),
  wait_for: callAbout('text').optional(),
});
export type BindingFile = z.infer<typeof BindingFile>;
