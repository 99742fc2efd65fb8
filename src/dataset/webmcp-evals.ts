import path from 'node:path';
import { z } from 'zod';
import { Json, JsonObject } from '../contract/json.ts';
import { escaped } from '../contract/json-pointer.ts';
import type { Contract } from '../contract/schema.ts';
import { FactError } from '../messages/fact-error.ts';
import { fact } from '../messages/messages.ts';
import type { TaskInput } from '../task/schema.ts';
import { validateTask } from '../task/validate.ts';
import { defineImporter, type ListedTask } from './importer.ts';

export const EVALS = 'webmcp-evals/examples';
export const EVALS_ORIGIN = 'http://evals.localhost';

const Eval = z.object({
  name: z.string().optional(),
  messages: z.array(z.object({ type: z.string(), content: z.string().optional() })).min(1),
  expectedCall: z.array(Json).nullable(),
});
type Eval = z.infer<typeof Eval>;

const Call = z.object({
  functionName: z.string().min(1),
  arguments: JsonObject.nullish(),
  result: z.never().optional(),
  mockOutput: z.never().optional(),
  optional: z.literal(false).optional(),
});
type Call = z.infer<typeof Call>;
const Calls = z.array(z.union([Call, z.strictObject({ unordered: z.array(Call) })]));

/** An eval without a contract, and why. */
class LeftOut extends FactError {}

export const WEBMCP_EVALS = defineImporter({
  name: 'webmcp-evals',
  repository: 'https://github.com/GoogleChromeLabs/webmcp-tools',
  licence: 'Apache-2.0',
  version: 1,
  files: [`${EVALS}/**/*evals*.json`],
  schema: Eval,
  task: ({ name, messages, expectedCall }, file) => {
    const goal = messages.flatMap(({ content = [] }) => content).join('\n');
    const place = path.posix.relative(EVALS, file).replace(/(?:\/evals)?\.json$/, '');
    const id = `${place} ${name ?? goal}`
      .replaceAll(/[^A-Za-z\d]+/g, '-')
      .slice(0, 80)
      .replace(/-$/, '');
    const start = `${EVALS_ORIGIN}/${path.posix.relative(EVALS, path.posix.dirname(file))}`;
    const listed = { id, goal, start_urls: [start], upstream: expectedCall };
    try {
      return { ...listed, standing: 'draft', success: successOf({ messages, expectedCall }, evalTask(listed)) };
    } catch (error) {
      if (!(error instanceof LeftOut)) throw error;
      return { ...listed, standing: 'needs a contract', why: error.fact };
    }
  },
});

/** The task of an eval, as its file has it. */
export function evalTask({ id, goal, start_urls: [startUrl = ''] }: Pick<ListedTask, 'id' | 'goal' | 'start_urls'>) {
  return { id, title: id, startUrl, goal, tags: ['draft'] } satisfies Omit<TaskInput, 'success'>;
}

/** @throws LeftOut if it cannot be judged here */
function successOf({ messages, expectedCall }: Eval, task: Omit<TaskInput, 'success'>): Contract {
  if (messages.length > 1) throw new LeftOut(fact('eval_has_turns'));
  if (expectedCall === null || expectedCall.length === 0) throw new LeftOut(fact('eval_without_call'));
  const days = [...JSON.stringify(expectedCall).matchAll(/"((\d{4})-\d\d-\d\d)"/g)];
  const [, day] = days.find(([, , year = '']) => !task.goal.includes(year)) ?? [];
  if (day !== undefined) throw new LeftOut(fact('eval_needs_today', { day }));
  const success = contractOf(expectedCall);
  const checked = validateTask({ ...task, success });
  if (!checked.ok) for (const { what } of checked.problems) throw new LeftOut(what);
  return success;
}

/**
 * The contract over the calls that the app has recorded: the expected ones, in this order, and no other.
 * @throws LeftOut if it would accept or refuse other calls than the original
 */
export function contractOf(expected: readonly Json[]): Contract {
  const { data } = Calls.safeParse(expected);
  if (data === undefined) return leaveOut('optional calls, their results or nested groups');
  const clauses: Contract[] = [];
  let at = 0;
  for (const node of data) {
    const group = 'unordered' in node ? node.unordered : [node];
    clauses.push(...groupFrom(at, group));
    at += group.length;
  }
  return { kind: 'and', children: [...clauses, { kind: 'app_state', pointer: `/calls/${at}`, absent: true }] };
}

/** Needs no permutations: if no call can match two of the expected ones, each of them has a place of its own. */
function groupFrom(from: number, group: readonly Call[]): Contract[] {
  const [first, ...others] = group;
  if (first !== undefined && others.length === 0) return clausesAt(from, first);
  if (group.some((call, at) => group.slice(at + 1).some((other) => !areApart(call, other)))) {
    leaveOut('an unordered group in which one call may be two of those expected');
  }
  const at = (place: number, call: Call): Contract => ({ kind: 'and', children: clausesAt(from + place, call) });
  return group.map((call) => ({ kind: 'or', children: group.map((_, place) => at(place, call)) }));
}

function areApart(one: Call, other: Call): boolean {
  if (one.functionName !== other.functionName) return true;
  return Object.entries(one.arguments ?? {}).some(([name, value]) => {
    const otherValue = other.arguments?.[name];
    return !name.startsWith('$') && isScalar(value) && isScalar(otherValue) && value !== otherValue;
  });
}

function isScalar(value: Json | undefined): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function clausesAt(at: number, { functionName, arguments: wanted }: Call): Contract[] {
  const isOpen = wanted == null || Object.keys(wanted).length === 0;
  return [
    { kind: 'app_state', pointer: `/calls/${at}/name`, equals: functionName },
    ...(isOpen ? [] : clausesOf(wanted, `/calls/${at}/arguments`)),
  ];
}

/** In the original, an object may have more fields than are expected, but a list no more entries. */
function clausesOf(wanted: Json, pointer: string): Contract[] {
  if (Array.isArray(wanted) && !wanted.every(isScalar)) leaveOut('a list of objects or lists');
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) {
    return [{ kind: 'app_state', pointer, equals: wanted }];
  }
  const fields = Object.entries(wanted);
  if (fields.length === 0) leaveOut('any object');
  const isConstraint = fields.every(([name]) => name.startsWith('$'));
  return fields.flatMap(([name, value]) => {
    if (isConstraint) return [constraintOf(name, value, pointer)];
    // In a pointer, these may name an entry of a list.
    if (/^\d+$|^\[.*=.*\]$/s.test(name)) leaveOut(`an argument named ${name}`);
    return clausesOf(value, `${pointer}/${escaped(name)}`);
  });
}

function constraintOf(name: string, value: Json, pointer: string): Contract {
  const state = { kind: 'app_state', pointer } as const;
  if (name === '$any') return { kind: 'not', child: { ...state, absent: true } };
  if (name === '$contains' && typeof value === 'string' && value !== '') {
    return { ...state, matches: value.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`) };
  }
  if (name === '$pattern' && typeof value === 'string' && PORTABLE.test(value)) {
    return { ...state, matches: value.replaceAll(DOT, (_, kept?: string) => kept ?? NO_LINE_END) };
  }
  return leaveOut(`${name} ${JSON.stringify(value)}`);
}

/** Patterns that JavaScript and RE2 read in the same way. A dot only before `*` or `+`, as it may match half a character. */
const PORTABLE =
  /^(?:\\[dwb]|\\[^\w\s]|\[(?!\^)(?:\\[dw]|\\[^\w\s]|[^\\[\]\ud800-\udfff])+\]|\.[*+]|\(\?:|\((?!\?)|[^\\[\].(\ud800-\udfff])+$/;
const DOT = /(\\.|\[(?:\\.|[^\\\]])*\])|\./gs;
const NO_LINE_END = String.raw`[^\n\r\u2028\u2029]`;

function leaveOut(what: string): never {
  throw new LeftOut(fact('eval_not_judged', { what }));
}
