import { fact } from '../../messages/messages.ts';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { PathForJudge } from '../../task/outside-app.ts';
import { UsageError } from '../exit-code.ts';

/** The app that is measured on: a page to begin with, a folder of files, a command that starts a server, or a server that runs already. */
export type InitApp =
  | { kind: 'page' }
  | { kind: 'files'; folder: string }
  | { kind: 'command'; words: string[]; ready: string; state: string | null }
  | { kind: 'address'; address: string; reset: string[] };

export interface Answers {
  app: InitApp;
  agent: 'node' | 'python';
}

/** Answers that are known before anybody is asked. */
export interface GivenAnswers {
  app?: string | undefined;
  ready?: string | undefined;
  state?: string | undefined;
  reset?: string | undefined;
  language?: Answers['agent'] | undefined;
}

/**
 * Asks what is to be written, and nothing that is known already. An empty answer is the usual one.
 * @param above where a command would be run; null where none can be, as the suite has no folder of its own
 * @throws UsageError when a command is named all the same, before anything else is asked; and for what no app of this kind has
 */
export async function askAll(
  ask: (question: string) => Promise<string>,
  above: string | null,
  given: GivenAnswers = {},
): Promise<Answers> {
  const app = await askApp(ask, above, given);
  return { app, agent: given.language ?? (await askLanguage(ask)) };
}

/** Asks until the answer is one of the two, or its first letter. */
async function askLanguage(ask: (question: string) => Promise<string>): Promise<Answers['agent']> {
  let again = '';
  for (;;) {
    const said = (await ask(`${again}Is your agent written in node or python? [node]`)).toLowerCase();
    const language = (['node', 'python'] as const).find((each) => [each, each.charAt(0)].includes(said || 'node'));
    if (language !== undefined) return language;
    again = 'There is a template for node and one for python; an agent in another language speaks the same protocol.\n';
  }
}

async function askApp(
  ask: (question: string) => Promise<string>,
  above: string | null,
  given: GivenAnswers,
): Promise<InitApp> {
  const text = given.app ?? (await ask([...kindsOf(above), '[a small page to start with]'].join('\n')));
  if (text === '') {
    refuseNeedless(given, ['ready', 'state', 'reset'], 'a small page');
    return { kind: 'page' };
  }
  if (/^https?:\/\//.test(text)) {
    refuseNeedless(given, ['ready', 'state'], 'a server that is running already');
    const reset = given.reset ?? (await ask('A command that resets it before each episode? [none]'));
    return { kind: 'address', address: originOf(text), reset: argumentsOf(reset) };
  }
  if (existsSync(text) && statSync(text).isDirectory()) {
    refuseNeedless(given, ['ready', 'state', 'reset'], 'a folder of files');
    return { kind: 'files', folder: path.resolve(text) };
  }
  refuseNeedless(given, ['reset'], 'an app that is started anew for each episode');
  if (above === null) {
    throw new UsageError(fact('app_needs_folder'));
  }
  const ready = given.ready ?? (await askPath(ask, 'A path that answers with success once the app is ready? [/]'));
  const problem = given.state === undefined ? null : stateProblem(given.state);
  if (problem !== null) throw new UsageError(fact('bad_state', { problem }));
  const state = given.state ?? (await askState(ask));
  return { kind: 'command', words: argumentsOf(text), ready: ready ?? '/', state };
}

/** @throws UsageError when an answer is given to a question that is not asked of such an app */
function refuseNeedless(given: GivenAnswers, needless: readonly (keyof GivenAnswers)[], app: string): void {
  const flags = needless.filter((name) => given[name] !== undefined).map((name) => `--${name}`);
  if (flags.length === 0) return;
  throw new UsageError(fact('needless_flags', { app, flags: flags.join(' and ') }));
}

function originOf(address: string): string {
  if (URL.canParse(address)) return new URL(address).origin;
  throw new UsageError(fact('not_an_address', { address }));
}

/** Asks until the answer is a path; null for none. */
async function askPath(ask: (question: string) => Promise<string>, question: string): Promise<string | null> {
  for (let again = ''; ; again = 'A path begins with a slash, such as /health.\n') {
    const said = await ask(`${again}${question}`);
    if (said === '') return null;
    if (said.startsWith('/')) return said;
  }
}

/** Asks until the answer is a path that a suite may keep for the judge; null for none. */
async function askState(ask: (question: string) => Promise<string>): Promise<string | null> {
  for (let again = ''; ;) {
    const at = await askPath(ask, `${again}A path that returns its state as JSON, only for the judge? [none]`);
    const problem = at === null ? null : stateProblem(at);
    if (problem === null) return at;
    again = `It ${problem}.\n`;
  }
}

function stateProblem(at: string): string | null {
  return PathForJudge.safeParse(at).error?.issues[0]?.message ?? null;
}

/** The question, in lines for a terminal of 80 columns. */
function kindsOf(above: string | null): string[] {
  const others = ['  the address of a server that runs already, or', '  a folder of files'];
  if (above === null) {
    const elsewhere = [
      '  (a command that starts its server needs a folder of its own for the suite:',
      '  leave this with Ctrl-C, and type "touchstone init touchstone" in the folder of your app)',
    ];
    return ['What is your app?', ...others, ...elsewhere];
  }
  const npm = hasStart(above) ? ', such as npm start' : '';
  return [
    'What is your app?',
    `  a command that starts its server${npm}; it is run in`,
    `    ${above}`,
    '    and must listen on the port in the variable PORT, or where you write {{port}},',
    ...others,
  ];
}

function hasStart(folder: string): boolean {
  const { success, data } = Manifest.safeParse(jsonIn(path.join(folder, 'package.json')));
  return success && data.scripts.start !== undefined;
}

const Manifest = z.object({ scripts: z.object({ start: z.string().optional() }) });

/** Null where there is no such file, or no JSON in it. */
function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** The words of a command, as no shell will read them; quotes hold words together. */
export function argumentsOf(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}
