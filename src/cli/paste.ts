import { type EntrantFiles, isFileName } from '../plan/entrants.ts';
import { shellWord } from '../report/shell-word.ts';
import { DEFAULT_PROMPT } from './prompts.ts';
import { builtInSuites } from './suites.ts';

/** Names of everything that a campaign was made from, as they were given. */
export interface Sources {
  suiteNames: readonly string[];
  entrantFiles: EntrantFiles;
  /** The folder of cassettes that are replayed. */
  cassette?: string | undefined;
  prompt?: string | undefined;
  /** Whether the live web answers. */
  live?: boolean;
  /** Profiles of faults that were laid over the tasks. */
  faults?: readonly string[];
}

/** The line that finishes a campaign, to be pasted. Files of the user are named again, and so is the live web; what is built in need not be. */
export function resumeLine(folder: string, sources: Sources): string {
  const { suiteNames, entrantFiles, cassette, prompt, live = false, faults = [] } = sources;
  const known = builtInSuites();
  const others = suiteNames.filter((name) => !known.includes(name));
  const files = [...option('--agent', entrantFiles.agents), ...option('--surface', entrantFiles.surfaces)];
  const replies = option('--cassette', cassette === undefined ? [] : [cassette]);
  const prompted = option('--prompt', prompt === undefined || prompt === DEFAULT_PROMPT ? [] : [prompt]);
  const laid = option('--fault', faults.filter(isFileName));
  const web = live ? ['--live-web'] : [];
  const words = [folder, ...others].map(shellWord);
  return ['touchstone run --resume', ...words, ...files, ...replies, ...prompted, ...laid, ...web].join(' ');
}

/** The advice to finish a campaign of which only the folder is known. */
export function resumeAdvice(folder: string): string {
  return `finish it with "touchstone run --resume ${shellWord(folder)}"`;
}

function option(flag: string, values: readonly string[]): string[] {
  return values.length === 0 ? [] : [flag, shellWord(values.join(','))];
}
