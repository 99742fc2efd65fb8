import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { compileFunction } from 'node:vm';
import { EXIT } from '../cli/exit-code.ts';
import { main } from '../cli/program.ts';
import type { EpisodeLine } from '../report/counted-rows.ts';
import { Report } from '../report/report.ts';
import { failureOf } from '../report/failure.ts';
import { printable } from '../messages/printable.ts';
import { shellWord } from '../report/shell-word.ts';
import { episodeName } from '../task/instance.ts';

/** A task and its entrant. As for `touchstone run`, names are built in, or files and folders. */
export interface TaskRun {
  suite: string;
  task: string;
  agent: string;
  /** By default `own` for an agent that drives the browser itself, and `aria` for any other. */
  surface?: string;
  /** Repetitions, all of which must pass; one by default. */
  iterations?: number;
  /** The folder for the bundle; `bundles` by default. */
  bundles?: string;
}

/** The episodes of a task, and the bundle with their evidence. */
export interface TaskOutcome {
  /** True if there is an episode and all passed. */
  passed: boolean;
  episodes: EpisodeLine[];
  bundle: string;
}

/** A function that registers a test: `test` of Vitest, Playwright Test, `node:test`, or a similar runner. */
export interface RegisterTest {
  (name: string, body: () => Promise<void>, timeout?: number): unknown;
  /** Sets the limit from within a test, as in Playwright Test. */
  setTimeout?: (milliseconds: number) => void;
}

export interface TaskTest extends TaskRun {
  /** Name of the test; by default the task and its entrant. */
  name?: string;
  /** Most time of the test, with the start of browser and app; 180 000 ms by default. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 180_000;

/**
 * Registers a test that passes if every episode of a task passes. It leaves the same bundle as `touchstone run`.
 * @example taskTest(test, { suite: 'bench', task: 'delete-note', agent: 'bench/agents/node-agent/agent.mjs' });
 */
export function taskTest(test: RegisterTest, { name, timeoutMs = TIMEOUT_MS, ...run }: TaskTest): void {
  const { task, agent, surface } = run;
  const here = new Error();
  Error.captureStackTrace(here, taskTest);
  const stack = here.stack?.split('\n').slice(1) ?? [];
  const body = async (): Promise<void> => {
    test.setTimeout?.(timeoutMs);
    const { passed, episodes, bundle } = await runTask(run);
    if (passed) return;
    const failure = new Error(whyItFailed(episodes, bundle));
    // Runners show the code at the first line of the stack.
    failure.stack = [`Error: ${failure.message}`, ...stack].join('\n');
    throw failure;
  };
  const named = name ?? `${task}: ${agent}${surface === undefined ? '' : ` through ${surface}`}`;
  registerFrom(callerOf(taskTest), test, [named, body, timeoutMs]);
}

/**
 * Registers a test from code that has the caller's file and line: Playwright Test and `node:test` take the place of a test from
 * the frame that calls them, which would be this file.
 */
function registerFrom(caller: NodeJS.CallSite | undefined, test: RegisterTest, given: Parameters<RegisterTest>): void {
  const filename = caller?.getFileName();
  const [line, column] = [caller?.getLineNumber() ?? 1, caller?.getColumnNumber() ?? 1];
  const register = compileFunction('test(...given)', ['test', 'given'], {
    ...(typeof filename === 'string' ? { filename } : {}),
    lineOffset: line - 1,
    columnOffset: column - 1,
  });
  Reflect.apply(register, undefined, [test, given]);
}

/** Returns where a function was called, before source maps are applied. */
function callerOf(called: typeof taskTest): NodeJS.CallSite | undefined {
  const own = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
  const found: NodeJS.CallSite[] = [];
  Error.prepareStackTrace = (_error, [caller]) => {
    if (caller !== undefined) found.push(caller);
  };
  try {
    const error = new Error();
    Error.captureStackTrace(error, called);
    void error.stack;
  } finally {
    if (own === undefined) Reflect.deleteProperty(Error, 'prepareStackTrace');
    else Object.defineProperty(Error, 'prepareStackTrace', own);
  }
  return found[0];
}

/**
 * Runs one task in its own browser.
 * @throws Error with the remedy when it cannot be run, such as an unknown name or a missing browser
 */
export async function runTask(run: TaskRun): Promise<TaskOutcome> {
  const { suite, task, agent, surface, iterations = 1, bundles = 'bundles' } = run;
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+Z/g, '');
  // Several processes of a test runner may begin within one second.
  const bundle = path.join(bundles, `${time}-${task.replaceAll(/[^\w.-]+/g, '_')}-${randomBytes(3).toString('hex')}`);
  const through = surface === undefined ? [] : ['--surface', surface];
  const asked = ['--task', task, '--agent', agent, ...through, '--iterations', String(iterations)];
  const notes: string[] = [];
  const exit = await main(['run', suite, ...asked, '--out', bundle], {
    out: (line) => {
      notes.push(line);
    },
    note: (line) => {
      notes.push(line);
    },
  });
  if (exit !== EXIT.done && exit !== EXIT.gateNotMet) throw new Error(notes.join('\n'));
  const report = Report.parse(JSON.parse(await readFile(path.join(bundle, 'report.json'), 'utf8')));
  const { episodes } = report;
  return { passed: episodes.length > 0 && episodes.every(({ status }) => status === 'passed'), episodes, bundle };
}

/** Explains each episode that did not pass, and names the place of its evidence. */
function whyItFailed(episodes: readonly EpisodeLine[], bundle: string): string {
  const failed = episodes.filter(({ status }) => status !== 'passed');
  const reasons = failed.flatMap((episode) => {
    const failure = failureOf(episode);
    const clause = failure?.clause ?? null;
    return [
      `${episodeName(episode)}: ${episode.status}. ${failure?.sentence ?? ''}`,
      ...(clause === null
        ? []
        : [`  clause:   ${clause.name}`, `  expected: ${clause.expected}`, `  observed: ${clause.observed}`]),
    ];
  });
  const look = `look at it: npx touchstone show ${shellWord(bundle)} --serve`;
  return [...(failed.length === 0 ? ['no episode has run'] : reasons), look].map((line) => printable(line)).join('\n');
}
