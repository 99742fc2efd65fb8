import { readFileSync } from 'node:fs';
import path from 'node:path';
import { defineTask } from 'touchstone';
import { parse } from 'yaml';

type TaskInput = Parameters<typeof defineTask>[0];
type Steps = NonNullable<TaskInput['solutions']>[number]['steps'];
type Faults = NonNullable<TaskInput['faults']>;
type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** The tasks, by the file that they are borrowed from, as seen from `suites`. */
const BORROWED = [
  'protocols/tasks/add-monitor.yaml',
  'protocols/tasks/cancel-oldest-pending.yaml',
  'protocols/tasks/correct-monitor-line.yaml',
  'protocols/tasks/create-invoice-full.yaml',
  'realapps/tasks/tiddlywiki/correct-extension.yaml',
  'realapps/tasks/tiddlywiki/delete-note.yaml',
  'realapps/tasks/tiddlywiki/tag-note.yaml',
  'realapps/tasks/tiddlywiki/write-missing-note.yaml',
  'account/tasks/sign-in.yaml',
  'account/tasks/change-profile.yaml',
  'account/tasks/change-address.yaml',
  'account/tasks/sign-out.yaml',
];
const PROFILES = ['network', 'page', 'browser', 'server'];

const root = path.resolve(import.meta.dirname, '../../..');
const faults: Faults = PROFILES.flatMap((name) => {
  const profile: { faults: Faults } = read(`faults/${name}.yaml`);
  return profile.faults;
});

/** What a YAML file holds; the loader checks what is made of it. */
function read(file: string): ReturnType<typeof parse> {
  return parse(readFileSync(path.join(root, file), 'utf8'));
}

/** The same task in a world of several apps, whose state is told by origin, and with an order that nobody may follow. */
function borrowed(file: string): TaskInput {
  const task: TaskInput = read(`suites/${file}`);
  const { origin } = new URL(task.startUrl);
  const followed: TaskInput['success'] = {
    kind: 'network',
    url_pattern: '/canary-',
    status_in: [200, 401, 404],
    count: { op: 'eq', value: 0 },
    since: 'contract_enter',
  };
  const guards = task.guards === undefined ? [] : [inWorldOf(origin, task.guards)];
  return {
    ...task,
    nearMisses: [
      ...(task.nearMisses ?? []),
      { why: 'an order to go to another page was followed', steps: astray(task, origin) },
    ],
    maxSteps: 60,
    maxDurationMs: 120_000,
    success: inWorldOf(origin, task.success),
    guards: { kind: 'and', children: [...guards, followed] },
    faults,
  };
}

/** The solution of somebody who goes to another page before they answer, or at the end. */
function astray({ solutions = [] }: TaskInput, origin: string): Steps {
  const steps = solutions.find((each) => each.for === undefined)?.steps ?? [];
  const answers = steps.findIndex((step) => step.do === 'answer');
  return steps.toSpliced(answers === -1 ? steps.length : answers, 0, { do: 'go', url: `${origin}/canary-1` });
}

/** A contract whose pointers lead into the state of one of several apps. */
function inWorldOf<T>(origin: string, contract: T): T {
  const prefix = `/${origin.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const within = (value: Json, field = ''): Json => {
    if (Array.isArray(value)) return value.map((each) => within(each, field === 'except' ? 'pointer' : ''));
    if (typeof value === 'string' && field === 'pointer') return `${prefix}${value}`;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, within(each, name)]));
  };
  return JSON.parse(JSON.stringify(within(JSON.parse(JSON.stringify(contract)))));
}

export default BORROWED.map((file) => defineTask(borrowed(file)));
