import { z } from 'zod';
import type { Fact } from '../messages/message.ts';
import { fact } from '../messages/messages.ts';
import { addProblem, rule } from '../contract/validation/wording.ts';
import { givenValue } from '../contract/evidence.ts';
import { JsonObject } from '../contract/json.ts';
import type { ToolCall, ToolReply } from './tool.ts';
import type { Problem } from '../contract/validation/problem.ts';
import { nearestName } from '../contract/nearest-name.ts';

export const PageUrl = z.string().superRefine((text, context) => addProblem(pageUrlProblem(text), context));

function pageUrlProblem(text: string): Fact | null {
  if (text === 'about:blank') return null;
  // A URL parser drops control characters silently, and a terminal obeys them.
  if (/\p{Cc}/u.test(text)) return fact('url_control_character');
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) return fact('not_a_url');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return fact('url_scheme', { scheme: url.protocol });
  return url.username + url.password === '' ? null : fact('url_with_user');
}

const Name = z.string().min(1, rule('step_name_empty'));
const Place = z.int().min(0);
/** The name of a control, empty if the step finds it by `nth` or `near`. */
const ControlName = z.string().default('');
/** From 1. */
const Nth = z.int().min(1).optional();
const Near = Name.optional();

function findsOneWay(
  step: { name?: string; label?: string; nth?: number | undefined; near?: string | undefined },
  context: z.RefinementCtx,
): void {
  const name = step.label === undefined ? 'name' : 'label';
  const ways = { [name]: step.label || step.name, nth: step.nth, near: step.near };
  const given = Object.entries(ways).flatMap(([way, value]) => (value === undefined || value === '' ? [] : [way]));
  if (given.length === 0) addProblem(fact('control_name_empty'), context, [name]);
  if (given.length > 1)
    addProblem(fact('needs_exactly_one', { fields: Object.keys(ways), count: given.length, given }), context);
}

/** `text` answers a prompt. */
const AnswerDialog = z
  .strictObject({ do: z.literal('dialog'), action: z.enum(['accept', 'dismiss']), text: z.string().optional() })
  .superRefine((step, context) => {
    if (step.action === 'accept' || step.text === undefined) return;
    addProblem(fact('goes_only_with', { owner: '"action: accept"' }), context, ['text']);
  });

/**
 * One step, independent of the surface: `{ do: click, role: button, name: Send }`. Roles, names and labels are accessible ones
 * and reach into frames.
 */
export const Intent = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('go'), url: PageUrl }).describe('open an address'),
  z
    .strictObject({ do: z.literal('click'), role: Name, name: ControlName, nth: Nth, near: Near })
    .superRefine(findsOneWay)
    .describe(
      'click the element with this accessible role and exactly this name; without a name, the `nth` of the role, from 1, or the first after the text `near`',
    ),
  z.strictObject({ do: z.literal('double_click'), role: Name, name: Name }).describe('click such an element twice'),
  z
    .strictObject({ do: z.literal('right_click'), role: Name, name: Name })
    .describe('click such an element with the right button'),
  z.strictObject({ do: z.literal('hover'), role: Name, name: Name }).describe('move the pointer over such an element'),
  z
    .strictObject({
      do: z.literal('drag'),
      role: Name,
      name: Name,
      to: z.union([Name, z.strictObject({ role: Name, name: Name })]),
    })
    .describe('drag such an element, and drop it on another, given by its name or by role and name'),
  z
    .strictObject({ do: z.literal('click_at'), x: Place, y: Place })
    .describe('click a place of the viewport, in CSS pixels from its top left; for pages that are painted'),
  z
    .strictObject({ do: z.literal('upload'), role: Name, name: Name, files: z.array(Name).min(1) })
    .describe(
      'give such an element `files` of the task, by name: a file field, its label, or what opens the file chooser',
    ),
  z
    .strictObject({
      do: z.literal('fill'),
      label: ControlName,
      text: z.string(),
      role: Name.optional(),
      nth: Nth,
      near: Near,
    })
    .superRefine(findsOneWay)
    .describe('fill the field with this label; without one, by `nth` or `near`, of `role` if given'),
  z
    .strictObject({ do: z.literal('choose'), label: ControlName, option: Name, nth: Nth, near: Near })
    .superRefine(findsOneWay)
    .describe('choose the option with this text from the list with this label, or by `nth` or `near`'),
  z
    .strictObject({ do: z.literal('press'), key: Name })
    .describe('press a key by its DOM name, such as `Enter` or `Control+A`'),
  z
    .strictObject({ do: z.literal('switch_tab'), index: z.int().min(0) })
    .describe('change tabs, which count from 0 in the order of opening'),
  AnswerDialog.describe('answer the open dialog'),
  z.strictObject({ do: z.literal('wait_for'), text: Name }).describe('wait until a text is visible'),
  z.strictObject({ do: z.literal('read') }).describe('look again'),
  z
    .strictObject({ do: z.literal('settle') })
    .describe('look until two looks agree, 300 ms apart and at most 12 times; each look is a step'),
  z
    .strictObject({ do: z.literal('call'), tool: Name, args: JsonObject.default({}) })
    .describe('call a tool; for a solution with `for: tools`'),
  z
    .strictObject({
      do: z.literal('answer'),
      value: givenValue(rule('step_answer')).refine((value) => value !== '', rule('step_name_empty')),
    })
    .describe("end with the agent's answer"),
  z.strictObject({ do: z.literal('not_possible') }).describe('end, reporting that the goal cannot be reached'),
]);
export type Intent = z.infer<typeof Intent>;

const Steps = z.array(Intent).min(1, rule('list_empty', { entry: 'step' }));

/** Steps that complete the task: on the page, or by calling the tools that the app offers. */
export const Solution = z.strictObject({ for: z.enum(['page', 'tools']).default('page'), steps: Steps });
export type Solution = z.infer<typeof Solution>;

/** Steps that look like a solution and must not pass, and why. */
export const NearMiss = z.strictObject({ why: Name, steps: Steps });
export type NearMiss = z.infer<typeof NearMiss>;

/** A step that takes a call of a surface: answering takes none, and settling is several `read`s. */
export type SurfaceIntent = Exclude<Intent, { do: 'answer' | 'not_possible' | 'settle' }>;

export type Binding =
  | { kind: 'call'; call: ToolCall }
  /** Look at the surface first: make this call, then bind again. */
  | { kind: 'observe'; call: ToolCall }
  /** Make this first of several calls, then bind again. */
  | { kind: 'begin'; call: ToolCall }
  /** `unbound`: the surface has no call for steps of the kind. */
  | { kind: 'impossible'; why: string; unbound?: true };

/** The native call for a step, given the last view (null: none yet). */
export type Bind = (intent: SurfaceIntent, last: ToolReply | null) => Binding | Promise<Binding>;

export type ElementStep = Extract<SurfaceIntent, { role: string } | { label: string }>;

export function isElementStep(step: Intent): step is ElementStep {
  return 'role' in step || 'label' in step;
}

/** Empty for a control that its step finds by `nth` or `near`. */
export function nameOf(step: ElementStep | Drop): string {
  return 'name' in step ? step.name : step.label;
}

const FILLED = ['textbox', 'searchbox', 'combobox', 'spinbutton', 'slider'];
const CHOSEN = ['combobox', 'listbox'];

/** The roles that the element of a step may have; null for any. */
export function rolesOf(step: ElementStep): readonly string[];
export function rolesOf(step: ElementStep | Drop): readonly string[] | null;
export function rolesOf(step: ElementStep | Drop): readonly string[] | null {
  if ('role' in step && step.role !== undefined) return step.role === null ? null : [step.role];
  return step.do === 'fill' ? FILLED : CHOSEN;
}

/** The element on which a dragged one is dropped; a role of null is any. */
export interface Drop {
  do: 'drop';
  role: string | null;
  name: string;
}

export function dropOf(step: ElementStep): Drop | null {
  if (step.do !== 'drag') return null;
  return typeof step.to === 'string' ? { do: 'drop', role: null, name: step.to } : { do: 'drop', ...step.to };
}

/** Roles of elements in WAI-ARIA 1.3, and those that browsers add: a frame, plain text. */
const ROLES =
  'alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox comment complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell group heading iframe image img insertion link list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox sectionfooter sectionheader separator slider spinbutton status strong subscript suggestion superscript switch tab table tablist tabpanel term text textbox time timer toolbar tooltip tree treegrid treeitem'.split(
    ' ',
  );

export function unknownRoles(steps: readonly Intent[], path: Problem['path']): Problem[] {
  return steps.flatMap((step, index) => {
    const own = 'role' in step && step.role !== undefined ? [{ role: step.role, at: ['role'] }] : [];
    const drop = step.do === 'drag' && typeof step.to !== 'string' ? [{ role: step.to.role, at: ['to', 'role'] }] : [];
    return [...own, ...drop].flatMap(({ role, at }) => {
      if (ROLES.includes(role)) return [];
      const what = fact('role_not_aria', { role, meant: nearestName(role, ROLES) ?? '' });
      return [{ path: [...path, index, ...at], what }];
    });
  });
}
