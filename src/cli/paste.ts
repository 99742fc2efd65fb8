import { builtInSuites } from './suites.ts';

/** What a campaign was made of, as it was named. */
export interface Sources {
  suiteNames: readonly string[];
  entrantFiles: readonly string[];
}

/** The line that finishes a campaign, to be pasted. Files of the user are named again; what is built in need not be. */
export function resumeLine(folder: string, { suiteNames, entrantFiles }: Sources): string {
  const known = builtInSuites();
  const others = suiteNames.filter((name) => !known.includes(name));
  const files = entrantFiles.length === 0 ? [] : ['--surface', shellWord(entrantFiles.join(','))];
  return ['touchstone run --resume', ...[folder, ...others].map(shellWord), ...files].join(' ');
}

/** One word of a POSIX shell, whatever is in it. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
