import path from 'node:path';
import { z } from 'zod';
import { JsonObject } from '../../contract/json.ts';
import { patternProblem } from '../../contract/pattern.ts';
import { placeholdersIn, placeholdersInFields } from '../binding.ts';
import type { Parsed } from '../../contract/validation/problem.ts';
import { addProblem } from '../../contract/validation/wording.ts';
import type { Fact } from '../../messages/message.ts';
import { fact } from '../../messages/messages.ts';
import { Id } from '../../task/instance.ts';
import { readChecked } from '../../task/source/read-source.ts';
import type { FileProblem } from '../../task/source/source.ts';

export const CallPattern = z.strictObject({
  tool: z.string().min(1, 'is empty; name a tool of the server'),
  args: JsonObject.default({}),
});
export type CallPattern = z.infer<typeof CallPattern>;

/** The current tab: its number, counted from 1, and its CDP target id. */
const TAB_NAMES = ['tab', 'tab_id'];

function callAbout(...names: string[]) {
  const known = [...names, ...TAB_NAMES];
  return CallPattern.superRefine(({ args }, context) => {
    const message = unknownProblem(args, known) ?? hiddenRefProblem(args);
    if (message !== null) context.addIssue({ code: 'custom', path: ['args'], message });
  });
}

function callOnElement(...names: string[]) {
  return callAbout('role', 'name', 'ref', ...names);
}

function unknownProblem(args: JsonObject, known: readonly string[]): string | null {
  const unknown = placeholdersIn(JSON.stringify(args)).find((name) => !known.includes(name));
  if (unknown === undefined) return null;
  return `asks for {{${unknown}}}; this step knows ${known.map((name) => `{{${name}}}`).join(', ')}`;
}

function hiddenRefProblem(args: JsonObject): string | null {
  if (!placeholdersInFields(args).some((name) => name === 'ref' || name === 'to_ref')) return null;
  return 'has {{ref}} in the name of a field; only a value may hold it, name the field by {{name}}';
}

const ElementPattern = z.string().superRefine((text, context) => {
  addProblem(text === 'aria' ? null : (groupProblem(text) ?? patternProblem(text)), context);
});

const LabelPattern = z.string().superRefine((text, context) => {
  addProblem(groupProblem(text, ['name']) ?? patternProblem(text), context);
});

function listed(value: unknown): unknown {
  return Array.isArray(value) ? value : [value];
}

function oneOrMore<T extends z.ZodType>(each: T) {
  return z.preprocess(listed, z.array(each).min(1, 'is empty; list at least one, or leave it out'));
}

function groupProblem(text: string, groups = ['ref', 'role', 'name']): Fact | null {
  const missing = groups.find((group) => !text.includes(`(?<${group}>`));
  return missing === undefined ? null : fact('group_missing', { name: missing });
}

/** Binds the steps of a solution to a server's tools. Others cannot be done. */
export const BindingFile = z.strictObject({
  /** Shows the page: its elements, each with a reference. */
  look: callAbout(),
  /** Shows more of it; called if a look does not show the element of a step. */
  closer_look: callAbout().optional(),
  /** The form of an element in a line: `aria`, or a pattern with the groups `ref`, `role` and `name`. Of several, the first that matches the line. */
  elements: oneOrMore(ElementPattern),
  /** The form of a line that names the element without a name in the next line: a pattern with the group `name`. */
  labels: oneOrMore(LabelPattern).optional(),
  go: callAbout('url').optional(),
  click: callOnElement().optional(),
  double_click: callOnElement().optional(),
  right_click: callOnElement().optional(),
  hover: callOnElement().optional(),
  drag: callOnElement('to_role', 'to_name', 'to_ref').optional(),
  click_at: callAbout('x', 'y').optional(),
  fill: callOnElement('text').optional(),
  choose: callOnElement('option').optional(),
  /** Several calls are made one after the other. */
  upload: oneOrMore(callOnElement('file', 'files')).optional(),
  press: callAbout('key').optional(),
  switch_tab: callAbout('index').optional(),
  accept: callAbout('text').optional(),
  dismiss: callAbout().optional(),
  wait_for: callAbout('text').optional(),
});
export type BindingFile = z.infer<typeof BindingFile>;

const KNOWN = ['cdpUrl', 'cdpPort', 'folder', 'home'];

const Filled = z.string().superRefine((text, context) => {
  const message = placeholderProblem(text, KNOWN);
  if (message !== null) context.addIssue({ code: 'custom', message });
});
const ReadyCall = CallPattern.superRefine(({ args }, context) => {
  const message = placeholderProblem(JSON.stringify(args), [...KNOWN, ...TAB_NAMES]);
  if (message !== null) context.addIssue({ code: 'custom', path: ['args'], message });
});
const Variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'is not the name of a variable');
const RelativeScript = z
  .string()
  .regex(/^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$)).+$/, 'must be a path inside the package, without ".."');

function placeholderProblem(text: string, known: readonly string[]): string | null {
  const unknown = placeholdersIn(text).find((name) => !known.includes(name));
  return unknown === undefined
    ? null
    : `asks for {{${unknown}}}; there are ${known.map((name) => `{{${name}}}`).join(', ')}`;
}

type ServerLaunch =
  | { by: 'package'; name: string; script: string }
  | { by: 'command'; command: string }
  | { by: 'variable'; variable: string };

const LaunchFields = z.strictObject({
  /** An npm package that is installed next to this file or Touchstone, and its script, which our own Node runs. */
  package: z.string().optional(),
  script: RelativeScript.optional(),
  /** On the PATH, or a path relative to this file. Our own Node runs a script (`.js`, `.mjs`, `.cjs`). */
  command: z.string().min(1, 'is empty; name a program').optional(),
  /** The environment variable with the program, for servers whose place differs by machine. */
  command_from: Variable.optional(),
});

/** A tool server that speaks MCP over its standard streams and attaches to a browser by its debugging port. */
export const Server = LaunchFields.extend({
  id: Id,
  about: z.string().optional(),
  /** `{{cdpUrl}}`, `{{cdpPort}}`, `{{folder}}` (of this file) and `{{home}}` (of the server) are filled in. */
  args: z.array(Filled).default([]),
  /** It has no other variables but PATH, HOME, TMPDIR, LANG and those that `secrets` names. */
  env: z.record(Variable, Filled).default({}),
  /** Names of variables that it is given, with secret values. */
  secrets: z.array(Variable).default([]),
  /** `gateway`: the browser alone; `shared`: the network of this machine too. */
  network: z.enum(['gateway', 'shared']).default('gateway'),
  /** Other folders to read, relative to this file. */
  readable: z.array(z.string().min(1)).default([]),
  /** Calls that must succeed, in order, before the agent begins. `{{tab}}` and `{{tab_id}}` are filled in, too. */
  ready: oneOrMore(ReadyCall).default([]),
  start_timeout_ms: z.int().min(1).max(60_000).default(60_000),
  binding: BindingFile.optional(),
}).transform(({ package: name, script, command, command_from: variable, ...server }, context) => {
  const launches: ServerLaunch[] = [];
  if (name !== undefined && script !== undefined) launches.push({ by: 'package', name, script });
  if (command !== undefined) launches.push({ by: 'command', command });
  if (variable !== undefined) launches.push({ by: 'variable', variable });
  const [launch, ...others] = launches;
  if ((name === undefined) !== (script === undefined)) {
    context.addIssue({ code: 'custom', path: ['script'], message: 'goes with package, and package with it' });
  } else if (launch === undefined || others.length > 0) {
    const message = `needs exactly one of package, command, command_from; it has ${launches.length}`;
    context.addIssue({ code: 'custom', message });
  } else {
    return { ...server, launch };
  }
  return z.NEVER;
});
export type Server = z.output<typeof Server>;

export interface ServerFile {
  file: string;
  server: Server;
}

export async function readServerFile(file: string): Promise<Parsed<ServerFile, FileProblem>> {
  const read = await readChecked(file, Server);
  return read.ok ? { ok: true, value: { file: path.resolve(file), server: read.value } } : read;
}
