import { type EntrantFiles, isFileName } from '../plan/entrants.ts';
import { shellWord } from '../report/shell-word.ts';
import { DEFAULT_PROMPT } from './built-in-files.ts';
import { builtInSuites } from './suites.ts';

/** The names of everything that a campaign was made from, as they were typed. */
export interface Sources {
  suiteNames: readonly string[];
  entrantFiles: EntrantFiles;
  cassette?: string | undefined;
  prompt?: string | undefined;
  live?: boolean;
  faults?: readonly string[];
  secretFile?: string | undefined;
}

/** Returns the command that finishes a campaign. It names files of the user again, and the live web. */
export function resumeLine(folder: string, sources: Sources): string {
  const { suiteNames, entrantFiles, cassette, prompt, live = false, faults = [], secretFile } = sources;
  const known = builtInSuites();
  const others = suiteNames.filter((name) => !known.includes(name));
  const files = [...option('--agent', entrantFiles.agents), ...option('--surface', entrantFiles.surfaces)];
  const replies = option('--cassette', cassette === undefined ? [] : [cassette]);
  const prompted = option('--prompt', prompt === undefined || prompt === DEFAULT_PROMPT ? [] : [prompt]);
  const laid = option('--fault', faults.filter(isFileName));
  const drawn = option('--secret-file', secretFile === undefined ? [] : [secretFile]);
  const web = live ? ['--live-web'] : [];
  const words = [folder, ...others].map(shellWord);
  return ['touchstone run --resume', ...words, ...files, ...replies, ...prompted, ...laid, ...drawn, ...web].join(' ');
}

/** Advises to finish a campaign of which only the folder is known. */
export function resumeAdvice(folder: string): string {
  return `finish it with "touchstone run --resume ${shellWord(folder)}"`;
}

function option(flag: string, values: readonly string[]): string[] {
  return values.length === 0 ? [] : [flag, shellWord(values.join(','))];
}
