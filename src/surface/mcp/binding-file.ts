import { z } from 'zod';
import { JsonObject } from '../../contract/json.ts';
import { patternProblem } from '../../contract/pattern.ts';
import { placeholdersIn, placeholdersInFields } from '../placeholders.ts';

/** A call of one of a server's tools, with placeholders in its arguments. */
export const CallPattern = z.strictObject({
  tool: z.string().min(1, 'is empty; name a tool of the server'),
  args: JsonObject.default({}),
});
export type CallPattern = z.infer<typeof CallPattern>;

/** The tab that was chosen last: its number, counted from 1, and its CDP target id. */
export const TAB_NAMES = ['tab', 'tab_id'];

/** A call that may ask for these, and for the tab that was chosen last. */
function callAbout(...names: string[]) {
  const known = [...names, ...TAB_NAMES];
  return CallPattern.superRefine(({ args }, context) => {
    const message = unknownProblem(args, known) ?? hiddenRefProblem(args);
    if (message !== null) context.addIssue({ code: 'custom', path: ['args'], message });
  });
}

function unknownProblem(args: JsonObject, known: readonly string[]): string | null {
  const unknown = placeholdersIn(JSON.stringify(args)).find((name) => !known.includes(name));
  if (unknown === undefined) return null;
  return `asks for {{${unknown}}}; this step knows ${known.map((name) => `{{${name}}}`).join(', ')}`;
}

/** The values that hold a reference tell a call's target. */
function hiddenRefProblem(args: JsonObject): string | null {
  if (!placeholdersInFields(args).includes('ref')) return null;
  return 'has {{ref}} in the name of a field; only a value may hold it, name the field by {{name}}';
}

const ElementPattern = z.string().superRefine((text, context) => {
  const message = text === 'aria' ? null : (groupProblem(text) ?? patternProblem(text));
  if (message !== null) context.addIssue({ code: 'custom', message });
});

function listed(value: unknown): unknown {
  return Array.isArray(value) ? value : [value];
}

/** A list, or the one thing that would stand in it. */
export function oneOrMore<T extends z.ZodType>(each: T) {
  return z.preprocess(listed, z.array(each).min(1, 'is empty; list at least one, or leave it out'));
}

function groupProblem(text: string): string | null {
  const missing = ['ref', 'role', 'name'].find((group) => !text.includes(`(?<${group}>`));
  return missing === undefined ? null : `has no group (?<${missing}>…); write "aria", or a pattern for one line`;
}

/** Binds the steps of a solution to a server's tools. Steps that are left out cannot be done with them. */
export const BindingFile = z.strictObject({
  /** Shows the page: its elements, each with a reference. */
  look: callAbout(),
  /**
   * The form of a line that names an element: as our own `aria` does, or by a pattern with the groups `ref`, `role` and `name`. Of
   * several, the first that fits a line.
   */
  elements: oneOrMore(ElementPattern),
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
