import { builtInSuites } from './suites.ts';

/** The line that finishes a campaign, to be pasted. Suites of the user are named again; built-in ones need not be. */
export function resumeLine(folder: string, suiteNames: readonly string[]): string {
  const known = builtInSuites();
  const others = suiteNames.filter((name) => !known.includes(name));
  return ['touchstone run --resume', ...[folder, ...others].map(shellWord)].join(' ');
}

/** One word of a POSIX shell, whatever is in it. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
