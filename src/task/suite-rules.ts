import { fact } from '../messages/messages.ts';
import { AT_LEAST_ONE, holdsOfNone } from '../contract/fields.ts';
import type { Contract } from '../contract/schema.ts';
import type { Problem } from '../contract/validation/problem.ts';
import { unknownRoles, type Intent } from './intent.ts';
import { authProblems, credentialProblems } from './auth.ts';
import { taskName } from './instance.ts';
import type { PlacedTask } from './load-task.ts';
import type { Task } from './schema.ts';
import { isLocal, type Suite } from './suite.ts';

export function originsOf({ world }: Suite, tasks: readonly PlacedTask[]): string[] {
  if (world.kind === 'local') return world.sites.map(({ origin }) => origin);
  return tasks.flatMap(({ task }) => (task.startUrl === 'about:blank' ? [] : [new URL(task.startUrl).origin]));
}

export function suiteRuleProblems(placed: PlacedTask, earlier: readonly PlacedTask[], suite: Suite): Problem[] {
  return [
    ...duplicateId(placed, earlier),
    ...unreachableStart(placed, suite),
    ...credentialProblems(placed.task, suite.credentials),
    ...authProblems(placed.task, suite.roles),
    ...statelessProblems(placed.task, suite),
    ...stepsIn(placed.task).flatMap(({ steps, path }) => unknownRoles(steps, path)),
  ];
}

function stepsIn({ solutions = [], nearMisses = [] }: Task): { steps: readonly Intent[]; path: Problem['path'] }[] {
  return [
    ...solutions.map(({ steps }, index) => ({ steps, path: ['solutions', index, 'steps'] })),
    ...nearMisses.map(({ steps }, index) => ({ steps, path: ['nearMisses', index, 'steps'] })),
  ];
}

export function waiverProblems(tasks: readonly PlacedTask[], { waivers }: Suite): Problem[] {
  const names = new Set(tasks.map(({ task }) => taskName(task)));
  return waivers.flatMap(({ task }, index) =>
    names.has(task) ? [] : [{ path: ['waivers', index, 'task'], what: fact('waiver_without_task', { task }) }],
  );
}

function duplicateId({ task }: PlacedTask, earlier: readonly PlacedTask[]): Problem[] {
  const twin = earlier.find((other) => taskName(other.task) === taskName(task));
  if (twin === undefined) return [];
  return [{ path: ['id'], what: fact('id_of_another_task', { task: taskName(task), file: twin.file }) }];
}

function unreachableStart({ task }: PlacedTask, { world }: Suite): Problem[] {
  // Suite files do not show what an archive holds; `touchstone validate` looks into it.
  if (task.startUrl === 'about:blank' || world.kind === 'archive') return [];
  const origins = world.sites.map((site) => site.origin);
  if (origins.includes(new URL(task.startUrl).origin)) return [];
  return [{ path: ['startUrl'], what: fact('start_outside_world', { origins }) }];
}

const OF_STATE = new Set<Contract['kind']>(['app_state', 'unchanged']);

/** Assertions on app state in a world without any, which would never be judged. */
function statelessProblems({ success, guards }: Task, { world }: Suite): Problem[] {
  if (reportsState(world)) return [];
  return [...nodesIn(success, ['success']), ...(guards === undefined ? [] : nodesIn(guards, ['guards']))].flatMap(
    ({ node: { kind }, path }) => (OF_STATE.has(kind) ? [{ path, what: fact('state_never_known', { kind }) }] : []),
  );
}

function reportsState(world: Suite['world']): boolean {
  return (
    world.kind === 'local' && world.sites.some(({ app, program }) => app !== undefined || program?.state !== undefined)
  );
}

function nodesIn(node: Contract, path: Problem['path']): { node: Contract; path: Problem['path'] }[] {
  const below =
    node.kind === 'not'
      ? nodesIn(node.child, [...path, 'child'])
      : 'children' in node
        ? node.children.flatMap((child, index) => nodesIn(child, [...path, 'children', index]))
        : [];
  return [{ node, path }, ...below];
}

/** Warns of addresses in `success` without an end: `/reports/viewed` is also the beginning of `/reports/viewed-by-country`. */
export function endlessAddressWarnings({ success }: Task): Problem[] {
  return assertedIn(success, ['success']).flatMap(({ node, path }) => {
    if (node.kind !== 'url' || hasEnd(node.pattern)) return [];
    return [{ path: [...path, 'pattern'], what: fact('address_without_end', { pattern: node.pattern }) }];
  });
}

/** Warns of a `download` in `success` that another file would satisfy, such as that of another button. */
export function anyDownloadWarnings({ success }: Task): Problem[] {
  return assertedIn(success, ['success']).flatMap(({ node, path }) => {
    if (node.kind !== 'download' || holdsOfNone(node.count ?? AT_LEAST_ONE)) return [];
    const { url_pattern: url, name_pattern: name, sha256, contains, equals, matches } = node;
    const named = [url, name, sha256, contains, equals, matches];
    return named.every((each) => each === undefined) ? [{ path, what: fact('download_of_any_file') }] : [];
  });
}

/** Leaves out denied clauses: there, an end would let more pass. */
function assertedIn(success: Contract, at: Problem['path']) {
  const denied = nodesIn(success, at).filter(({ node }) => node.kind === 'not');
  return nodesIn(success, at).filter(
    ({ path }) => !denied.some((not) => not.path.every((part, i) => part === path[i])),
  );
}

function hasEnd(pattern: string): boolean {
  return /(?:^|[^\\])(?:\\\\)*\$|\\z/.test(pattern);
}

const OF_PAGES = new Set<Contract['kind']>([
  'and',
  'or',
  'not',
  'url',
  'dom_text',
  'dom_count',
  'field_value',
  'screenshot_class',
]);
const ENTERS = new Set<Intent['do']>(['fill', 'choose', 'upload', 'drag']);

/**
 * Warnings for a contract that reads only pages although a solution enters something in an app that reports its state, and for
 * guards that except a whole list.
 */
export function stateWarnings(task: Task, { world }: Pick<Suite, 'world'>): Problem[] {
  const { success, guards } = task;
  const read = nodesIn(success, ['success']);
  const enters = stepsIn(task).some(({ steps }) => steps.some((step) => ENTERS.has(step.do)));
  const isOfPages = enters && reportsState(world) && read.every(({ node: { kind } }) => OF_PAGES.has(kind));
  const pointers = read.flatMap(({ node }) => (node.kind === 'app_state' ? [node.pointer] : []));
  const wide = (guards === undefined ? [] : nodesIn(guards, ['guards'])).flatMap(({ node, path }) =>
    (node.kind === 'unchanged' ? (node.except ?? []) : []).flatMap((list, index) => {
      const entry = pointers.flatMap((each) => entryBelow(list, each))[0];
      if (entry === undefined) return [];
      return [{ path: [...path, 'except', index], what: fact('guard_excepts_list', { list, entry }) }];
    }),
  );
  return [...(isOfPages ? [{ path: ['success'], what: fact('state_not_read') }] : []), ...wide];
}

/** The entry of a list that a pointer leads to or into, if it does. */
function entryBelow(list: string, pointer: string): string[] {
  if (!pointer.startsWith(`${list}/`)) return [];
  const [segment = ''] = pointer.slice(list.length + 1).split('/');
  return /^\d+$|^\[.*\]$/.test(segment) ? [`${list}/${segment}`] : [];
}

/** A warning for placeholders in a task without instances, which its author may mean literally. */
export function placeholderWarnings({ instance, ...task }: Task): Problem[] {
  if (instance !== undefined) return [];
  return placedStrings(task, []).flatMap(({ text, path }) => {
    const found = /\{\{\s*[A-Za-z]\w*\s*\}\}/.exec(text)?.[0];
    return found === undefined ? [] : [{ path, what: fact('placeholder_kept', { placeholder: found }) }];
  });
}

function placedStrings(value: unknown, path: Problem['path']): { text: string; path: Problem['path'] }[] {
  if (typeof value === 'string') return [{ text: value, path }];
  if (typeof value !== 'object' || value === null) return [];
  const at = (key: string) => (Array.isArray(value) ? Number(key) : key);
  return Object.entries(value).flatMap(([key, each]) => placedStrings(each, [...path, at(key)]));
}

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
/** Words that mean another day each day, and dates without a year. */
const OF_THE_DAY = new RegExp(
  String.raw`\b(?:today|tonight|tomorrow|yesterday|(?:this|next|last|past|coming) (?:week|weekend|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|(?:in|within) \w+ (?:days|weeks|months)|\w+ (?:days|weeks|months) ago|\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH}(?!,? \d{4})|${MONTH} \d{1,2}(?:st|nd|rd|th)?(?!\d|,? \d{4}))\b`,
  'i',
);
const ISO_DATE = /\b\d{4}-\d{2}-\d{2}/;

/** Warnings for a task that depends on the day without a clock, or that sets one of which a program does not hear. */
export function clockWarnings(task: Task, { world }: Pick<Suite, 'world'>): Problem[] {
  const programs = world.kind === 'local' ? world.sites.filter(({ program }) => program !== undefined) : [];
  if (task.setup?.clock !== undefined) {
    const deaf = programs.filter(({ program }) => program?.clock_env === undefined && program?.faketime !== true);
    return deaf.map(({ origin }) => ({ path: ['setup', 'clock'], what: fact('clock_not_passed', { origin }) }));
  }
  const inGoal = OF_THE_DAY.exec(task.goal)?.[0];
  if (inGoal !== undefined) return [{ path: ['goal'], what: fact('goal_of_a_day', { word: inGoal }) }];
  const given = JSON.stringify([task.goal, task.solutions ?? [], task.instance ?? null]);
  const date = placedStrings(task.success, ['success']).find(({ text }) => {
    // A program has a clock; an app of ours is to have constant dates.
    const word = OF_THE_DAY.exec(text)?.[0] ?? (programs.length > 0 ? ISO_DATE.exec(text)?.[0] : undefined);
    return word !== undefined && !given.includes(word);
  });
  return date === undefined ? [] : [{ path: date.path, what: fact('contract_of_a_day', { text: date.text }) }];
}

const CHANGING = /\b(today|tomorrow|yesterday|latest|current price|news|captcha|log ?in|sign ?in|payment|pay)\b/i;

/**
 * A warning for tasks on public sites whose goal has words of logins, payments or the day. Our own apps do not change by
 * themselves. A task that starts on a blank page is public if the suite has public sites.
 */
export function publicRuleWarnings(task: Task, origins: readonly string[]): Problem[] {
  const startsOn = task.startUrl === 'about:blank' ? origins : [new URL(task.startUrl).origin];
  const word = startsOn.every(isLocal) ? undefined : CHANGING.exec(task.goal)?.[0];
  return word === undefined ? [] : [{ path: ['goal'], what: fact('goal_may_change', { word }) }];
}
