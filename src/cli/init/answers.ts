import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { UsageError } from '../usage-error.ts';

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

/** The answers where nobody is asked. */
export const USUAL: Answers = { app: { kind: 'page' }, agent: 'node' };

/**
 * Asks what is to be written. An empty answer is the usual one.
 * @param above where a command would be run; null where none can be, as the suite has no folder of its own
 * @throws UsageError when a command is named all the same, before anything else is asked
 */
export async function askAll(ask: (question: string) => Promise<string>, above: string | null): Promise<Answers> {
  const app = await askApp(ask, above);
  return { app, agent: await askLanguage(ask) };
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

async function askApp(ask: (question: string) => Promise<string>, above: string | null): Promise<InitApp> {
  const text = await ask([...kindsOf(above), '[a small page to start with]'].join('\n'));
  if (text === '') return USUAL.app;
  if (/^https?:\/\//.test(text)) {
    const reset = argumentsOf(await ask('A command that resets it before each episode? [none]'));
    return { kind: 'address', address: new URL(text).origin, reset };
  }
  if (existsSync(text) && statSync(text).isDirectory()) return { kind: 'files', folder: path.resolve(text) };
  if (above === null) {
    throw new UsageError(
      'the suite of an app that Touchstone starts needs a folder of its own, inside that of the app',
      'go to the folder of the app, and name a new folder there, for example "touchstone init touchstone"',
    );
  }
  const ready = await askPath(ask, 'A path that answers with success once the app is ready? [/]');
  const state = await askPath(ask, 'A path that returns its state as JSON, only for the judge? [none]');
  return { kind: 'command', words: argumentsOf(text), ready: ready ?? '/', state };
}

/** Asks until the answer is a path; null for none. */
async function askPath(ask: (question: string) => Promise<string>, question: string): Promise<string | null> {
  for (let again = ''; ; again = 'A path begins with a slash, such as /health.\n') {
    const said = await ask(`${again}${question}`);
    if (said === '') return null;
    if (said.startsWith('/')) return said;
  }
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
