import type { Json, JsonObject } from '../contract/json.ts';
import {
  type Drop,
  dropOf,
  type ElementStep,
  isElementStep,
  type Binding,
  type SurfaceIntent,
} from '../task/intent.ts';
import type { ToolCall, ToolReply } from '../task/tool.ts';

/** Values of a server file's `{{names}}`; one without a value is null. */
export type Values = Readonly<Record<string, string | number | readonly string[] | null>>;

const WHOLE = /^\{\{(\w+)\}\}$/;
const ANY = /\{\{(\w+)\}\}/g;

export function placeholdersIn(text: string): string[] {
  return [...text.matchAll(ANY)].flatMap(([, name]) => (name === undefined ? [] : [name]));
}

/** The placeholders in names of fields, at any depth. */
export function placeholdersInFields(args: Json): string[] {
  if (Array.isArray(args)) return args.flatMap(placeholdersInFields);
  if (typeof args !== 'object' || args === null) return [];
  return Object.entries(args).flatMap(([field, value]) => [...placeholdersIn(field), ...placeholdersInFields(value)]);
}

export function withValues(text: string, values: Values): string {
  return text.replaceAll(ANY, (placeholder, name: string) => String(valueOf(values, name) ?? placeholder));
}

/**
 * Fills in the placeholders of arguments, in names of fields too. A value that is a single placeholder keeps its type; a field whose
 * placeholder has no value is left out.
 */
export function filledObject(args: JsonObject, values: Values): JsonObject {
  return Object.fromEntries(
    Object.entries(args).flatMap(([field, value]) => {
      const isNamed = placeholdersIn(field).every((name) => valueOf(values, name) !== null);
      const filled = filledJson(value, values);
      return !isNamed || (filled === null && value !== null) ? [] : [[withValues(field, values), filled]];
    }),
  );
}

function filledJson(value: Json, values: Values): Json {
  if (typeof value === 'string') {
    const name = WHOLE.exec(value)?.[1];
    return name === undefined ? withValues(value, values) : valueOf(values, name);
  }
  if (Array.isArray(value)) return value.map((each) => filledJson(each, values));
  return typeof value === 'object' && value !== null ? filledObject(value, values) : value;
}

function valueOf(values: Values, name: string): string | number | string[] | null {
  const value = Object.hasOwn(values, name) ? (values[name] ?? null) : null;
  return typeof value === 'object' && value !== null ? [...value] : value;
}

/**
 * The calls that carry out the steps of a solution, with placeholders such as `{{ref}}` in their arguments, as in the files of tool servers.
 * A step without a call cannot be done.
 */
export interface Calls {
  look: ToolCall;
  go?: ToolCall | undefined;
  click?: ToolCall | undefined;
  double_click?: ToolCall | undefined;
  right_click?: ToolCall | undefined;
  hover?: ToolCall | undefined;
  drag?: ToolCall | undefined;
  click_at?: ToolCall | undefined;
  fill?: ToolCall | undefined;
  choose?: ToolCall | undefined;
  upload?: ToolCall | undefined;
  press?: ToolCall | undefined;
  switch_tab?: ToolCall | undefined;
  accept?: ToolCall | undefined;
  dismiss?: ToolCall | undefined;
  wait_for?: ToolCall | undefined;
}

const STEPS =
  'go click double_click right_click hover drag click_at fill choose upload press switch_tab wait_for accept dismiss';

export function stepsWithoutCall(calls: Readonly<Record<string, unknown>>): string[] {
  const given = new Set(Object.entries(calls).flatMap(([step, call]) => (call === undefined ? [] : [step])));
  return STEPS.split(' ').filter((step) => !given.has(step));
}

/** The tools of all our surfaces that act on the tab. */
export const TAB_CALLS: Calls = {
  look: callOf('snapshot', {}),
  go: callOf('navigate', { url: '{{url}}' }),
  press: callOf('press', { key: '{{key}}' }),
  switch_tab: callOf('tabs', { action: 'select', index: '{{index}}' }),
  accept: callOf('dialog', { action: 'accept', text: '{{text}}' }),
  dismiss: callOf('dialog', { action: 'dismiss' }),
  wait_for: callOf('wait', { text: '{{text}}' }),
};

export function elementCalls(key: string): Omit<Calls, 'look'> {
  return {
    click: callOf('click', { [key]: '{{ref}}' }),
    double_click: callOf('double_click', { [key]: '{{ref}}' }),
    right_click: callOf('right_click', { [key]: '{{ref}}' }),
    hover: callOf('hover', { [key]: '{{ref}}' }),
    drag: callOf('drag', { [key]: '{{ref}}', to: '{{to_ref}}' }),
    fill: callOf('fill', { [key]: '{{ref}}', text: '{{text}}' }),
    upload: callOf('upload', { [key]: '{{ref}}', files: '{{files}}' }),
    choose: callOf('select', { [key]: '{{ref}}', option: '{{option}}' }),
  };
}

export function callOf(tool: string, args: JsonObject): ToolCall {
  return { tool, args };
}

/** Binds steps to calls. @param find the element of a step, among those that the surface showed last */
export function bindElements<Seen = unknown>(
  calls: Calls,
  find: (
    step: ElementStep | Drop,
    last: ToolReply | null,
    seen: Seen,
  ) => Named | undefined | Promise<Named | undefined>,
) {
  return async (intent: SurfaceIntent, last: ToolReply | null, seen: Seen): Promise<Binding> => {
    if (!isElementStep(intent)) return bindTab(calls, intent);
    return await bindElement(calls, intent, (step) => find(step, last, seen));
  };
}

/** Asks for a closer look if two looks in a row did not show the element of a step. */
export class CloserLook {
  readonly #call: () => ToolCall | undefined;
  #misses = 0;

  constructor(call: () => ToolCall | undefined) {
    this.#call = call;
  }

  after(binding: Binding): Binding {
    this.#misses = binding.kind === 'observe' ? (this.#misses + 1) % 3 : 0;
    const call = this.#misses === 2 ? this.#call() : undefined;
    return call === undefined ? binding : { kind: 'begin', call };
  }
}

/** The values by which calls may name an element. */
export interface Named {
  ref: string;
  role?: string;
  name?: string;
  plugin?: string;
}

export function bindTab(calls: Calls, intent: Exclude<SurfaceIntent, ElementStep>, tab: Values = {}): Binding {
  switch (intent.do) {
    case 'go':
      return bound(intent.do, calls.go, { url: intent.url, ...tab });
    case 'click_at':
      return bound(intent.do, calls.click_at, { x: intent.x, y: intent.y, ...tab });
    case 'press':
      return bound(intent.do, calls.press, { key: intent.key, ...tab });
    case 'switch_tab':
      return bound(intent.do, calls.switch_tab, { index: intent.index, ...tab });
    case 'dialog':
      return bound(intent.action, calls[intent.action], { text: intent.text ?? null, ...tab });
    case 'wait_for':
      return bound(intent.do, calls.wait_for, { text: intent.text, ...tab });
    case 'read':
      return bound(intent.do, calls.look, tab);
    case 'call':
      return { kind: 'call', call: callOf(intent.tool, intent.args) };
  }
}

/** @param find the element of a step, among those that the surface showed last */
export async function bindElement(
  calls: Calls,
  step: ElementStep,
  find: (step: ElementStep | Drop) => Named | undefined | Promise<Named | undefined>,
  tab: Values = {},
): Promise<Binding> {
  const call = calls[step.do];
  if (call === undefined) return unbound(step.do);
  const drop = dropOf(step);
  // The second call of an upload may be about the chooser that the first has opened.
  const element = namesElement(call) ? await find(step) : { ref: '' };
  const to = drop === null ? null : await find(drop);
  if (element === undefined || to === undefined) {
    const look = bound('look', calls.look, tab);
    return look.kind === 'call' ? { kind: 'observe', call: look.call } : look;
  }
  if (element.name === '' && placeholdersIn(JSON.stringify(call.args)).every((each) => each !== 'ref'))
    return { kind: 'impossible', why: 'its call names elements, and this one has no name' };
  const text = step.do === 'fill' ? step.text : null;
  const option = step.do === 'choose' ? step.option : null;
  const files = step.do === 'upload' ? step.files : null;
  const file = files?.length === 1 ? (files[0] ?? null) : null;
  const place = { to_ref: to?.ref ?? null, to_role: to?.role ?? null, to_name: to?.name ?? null };
  return bound(step.do, call, { ...element, ...place, text, option, files, file, ...tab });
}

function namesElement({ args }: ToolCall): boolean {
  return placeholdersIn(JSON.stringify(args)).some((name) => ['ref', 'role', 'name'].includes(name));
}

function unbound(step: string): Binding {
  return { kind: 'impossible', why: `no call is bound to "${step}"`, unbound: true };
}

function bound(step: string, call: ToolCall | undefined, values: Values): Binding {
  if (call === undefined) return unbound(step);
  if (values['tab_id'] === null && placeholdersIn(JSON.stringify(call.args)).includes('tab_id')) {
    return { kind: 'impossible', why: withValues('no page has opened a tab {{tab}}', values) };
  }
  if (values['file'] === null && placeholdersIn(JSON.stringify(call.args)).includes('file')) {
    return { kind: 'impossible', why: 'its call uploads one file at a time' };
  }
  return { kind: 'call', call: callOf(call.tool, filledObject(call.args, values)) };
}
