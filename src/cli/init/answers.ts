import { existsSync, statSync } from 'node:fs';
import path from 'node:path';

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

/** Asks what is to be written. An empty answer is the usual one. */
export async function askAll(ask: (question: string) => Promise<string>, above: string): Promise<Answers> {
  const app = await askApp(ask, above);
  return { app, agent: await askLanguage(ask) };
}

/** Asks until the answer is one of the two, or its first letter. */
async function askLanguage(ask: (question: string) => Promise<string>): Promise<Answers['agent']> {
  for (;;) {
    const said = (await ask('Is your agent written in node or python? [node]')).toLowerCase();
    const language = (['node', 'python'] as const).find((each) => [each, each.charAt(0)].includes(said || 'node'));
    if (language !== undefined) return language;
  }
}

async function askApp(ask: (question: string) => Promise<string>, above: string): Promise<InitApp> {
  const text = await ask(
    `What is your app? A command (run in ${above}), an address, or a folder of files. [a small page to start with]`,
  );
  if (text === '') return USUAL.app;
  if (/^https?:\/\//.test(text)) {
    const reset = argumentsOf(await ask('A command that resets it before each episode? [none]'));
    return { kind: 'address', address: new URL(text).origin, reset };
  }
  if (existsSync(text) && statSync(text).isDirectory()) return { kind: 'files', folder: path.resolve(text) };
  const ready = await ask('A path that answers with success once the app is ready? [/]');
  const state = await ask('A path that returns its state as JSON, only for the judge? [none]');
  return { kind: 'command', words: argumentsOf(text), ready: ready || '/', state: state || null };
}

/** The words of a command, as no shell will read them; quotes hold words together. */
export function argumentsOf(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}
