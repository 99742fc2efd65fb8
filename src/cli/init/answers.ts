import { fact } from '../../messages/messages.ts';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { parsePlainly, problemText } from '../../contract/validation/problem.ts';
import { PathForJudge } from '../../task/outside-app.ts';
import { UsageError } from '../exit-code.ts';

/** The app: a page to begin with, a folder of files, a command that starts a server, or a server that is running. */
export type InitApp =
  | { kind: 'page' }
  | { kind: 'files'; folder: string }
  | { kind: 'command'; words: string[]; ready: string; state: string | null; port: number | null }
  | { kind: 'address'; address: string; reset: string[] };

export interface Answers {
  app: InitApp;
  /** The path of the page that the first task begins with. */
  start: string;
  agent: 'node' | 'python';
}

/** Answers from the command line, whose questions are not asked. */
export interface GivenAnswers {
  app?: string | undefined;
  ready?: string | undefined;
  state?: string | undefined;
  reset?: string | undefined;
  start?: string | undefined;
  heading?: string | undefined;
  language?: Answers['agent'] | undefined;
}

type Ask = (question: string) => Promise<string>;

/**
 * Asks what is not given. An empty answer chooses the default.
 * @param above the folder in which a command would run; null if the suite has no folder of its own, so that none can
 * @param again whether the app was tried and did not show a page
 * @throws UsageError when an answer does not fit an app of its kind
 */
export async function askAll(ask: Ask, above: string | null, given: GivenAnswers, again: boolean): Promise<Answers> {
  const app = await askApp(ask, above, given);
  if (app.kind === 'page') refuseNeedless(given, ['start', 'heading'], 'a small page');
  const asksStart = again && app.kind !== 'page' && given.start === undefined;
  const start = asksStart ? await askPath(ask, 'The path of a page of it to begin with? [/]') : given.start;
  return { app, start: start ?? '/', agent: given.language ?? (await askLanguage(ask)) };
}

async function askLanguage(ask: Ask): Promise<Answers['agent']> {
  for (
    let again = '';
    ;
    again = 'There is a template for each; an agent in another language speaks the same protocol.\n'
  ) {
    const answer = (await ask(`${again}Is your agent written in node or python? [node]`)).toLowerCase() || 'node';
    const language = (['node', 'python'] as const).find((each) => [each, each.charAt(0)].includes(answer));
    if (language !== undefined) return language;
  }
}

async function askApp(ask: Ask, above: string | null, given: GivenAnswers): Promise<InitApp> {
  const text = given.app ?? (await ask([...kindsOf(above), '[a small page to start with]'].join('\n')));
  if (text === '') {
    refuseNeedless(given, ['ready', 'state', 'reset'], 'a small page');
    return { kind: 'page' };
  }
  if (/^https?:\/\//.test(text)) {
    refuseNeedless(given, ['ready', 'state'], 'a server that is running already');
    const reset = given.reset ?? (await ask('A command that resets it before each episode? [none]'));
    if (!URL.canParse(text)) throw new UsageError(fact('not_an_address', { address: text }));
    return { kind: 'address', address: new URL(text).origin, reset: argumentsOf(reset) };
  }
  if (existsSync(text) && statSync(text).isDirectory()) {
    refuseNeedless(given, ['ready', 'state', 'reset'], 'a folder of files');
    return { kind: 'files', folder: path.resolve(text) };
  }
  refuseNeedless(given, ['reset'], 'a command');
  if (above === null) throw new UsageError(fact('app_needs_folder'));
  const ready =
    given.ready ?? (await askPath(ask, 'A path that answers with success or a redirect once the app is ready? [/]'));
  const problem = given.state === undefined ? null : stateProblem(given.state);
  if (problem !== null) throw new UsageError(fact('bad_state', { problem }));
  const state =
    given.state ??
    (await askPath(ask, 'A path that returns its state as JSON, only for the judge? [none]', stateProblem));
  return { kind: 'command', words: argumentsOf(text), ready: ready ?? '/', state, port: null };
}

/** @throws UsageError when an option does not apply to such an app */
function refuseNeedless(given: GivenAnswers, needless: readonly (keyof GivenAnswers)[], app: string): void {
  const flags = needless.filter((name) => given[name] !== undefined).map((name) => `--${name}`);
  if (flags.length > 0) throw new UsageError(fact('needless_flags', { app, flags: flags.join(' and ') }));
}

/** Asks until the answer is a path; null for none. */
async function askPath(
  ask: Ask,
  question: string,
  problemOf: (at: string) => string | null = (at) =>
    at.startsWith('/') ? null : 'must begin with a slash, such as /health',
): Promise<string | null> {
  for (let again = ''; ;) {
    const at = await ask(`${again}${question}`);
    const problem = at === '' ? null : problemOf(at);
    if (problem === null) return at === '' ? null : at;
    again = `It ${problem}.\n`;
  }
}

function stateProblem(at: string): string | null {
  const parsed = parsePlainly(PathForJudge, at);
  return parsed.ok ? null : parsed.problems.map(problemText).join('; ');
}

/** The question, in lines for a terminal of 80 columns. */
function kindsOf(above: string | null): string[] {
  const others = ['  the address of a server that is running, or', '  a folder of files'];
  if (above === null)
    return [
      'What is your app?',
      ...others,
      '  (a command that starts its server needs a folder of its own for the suite:',
      '  leave this with Ctrl-C, and type "touchstone init touchstone" in the folder of your app)',
    ];
  return [
    'What is your app?',
    '  a command that starts its server, such as npm start; it is run in',
    `    ${above}`,
    '    and must listen on the port in the variable PORT, or where you write {{port}},',
    ...others,
  ];
}

/** Splits a command into words, as no shell reads it; quotes hold words together. */
function argumentsOf(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}
