import type { CompletedCommand, CompletedOption } from './completed.ts';

/** A script for fish, to be sourced. */
export function fishCompletion(commands: readonly CompletedCommand[]): string {
  return [
    '# Completion of touchstone for fish.',
    'complete -c touchstone -n __fish_use_subcommand -f',
    ...commands.flatMap(linesOf),
  ].join('\n');
}

function linesOf({ name, summary, words, options }: CompletedCommand): string[] {
  const here = `complete -c touchstone -n ${quoted(`__fish_seen_subcommand_from ${name}`)}`;
  return [
    `complete -c touchstone -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ...(words.length === 0 ? [] : [`${here} -a ${quoted(words.join(' '))}`]),
    ...options.map((option) => `${here}${flagsOf(option)}${valueOf(option)} -d ${quoted(option.help)}`),
  ];
}

function flagsOf({ short, long }: CompletedOption): string {
  return `${short === null ? '' : ` -s ${short}`} -l ${long}`;
}

function valueOf({ value }: CompletedOption): string {
  if (value === null) return '';
  const { words, isFile, isList } = value;
  if (words.length === 0) return isFile ? ' -r -F' : ' -x';
  const list = words.join(' ');
  return ` -x -a ${quoted(isList ? `(__fish_append , ${list})` : list)}`;
}

/** Text that the shell takes as it is. */
function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
}
