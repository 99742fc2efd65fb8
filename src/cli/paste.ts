import type { EntrantFiles } from '../campaign/entrants.ts';
import { builtInSuites } from './suites.ts';

/** What a campaign was made of, as it was named. */
export interface Sources {
  suiteNames: readonly string[];
  entrantFiles: EntrantFiles;
  /** The folder of cassettes that are replayed. */
  cassette?: string | undefined;
  /** What models were told, where it was not the default. */
  prompt?: string | undefined;
}

/** The line that finishes a campaign, to be pasted. Files of the user are named again; what is built in need not be. */
export function resumeLine(folder: string, { suiteNames, entrantFiles, cassette, prompt }: Sources): string {
  const known = builtInSuites();
  const others = suiteNames.filter((name) => !known.includes(name));
  const files = [...option('--agent', entrantFiles.agents), ...option('--surface', entrantFiles.surfaces)];
  const replies = option('--cassette', cassette === undefined ? [] : [cassette]);
  const told = option('--prompt', prompt === undefined ? [] : [prompt]);
  return ['touchstone run --resume', ...[folder, ...others].map(shellWord), ...files, ...replies, ...told].join(' ');
}

function option(flag: string, values: readonly string[]): string[] {
  return values.length === 0 ? [] : [flag, shellWord(values.join(','))];
}

/** One word of a POSIX shell, whatever is in it. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
