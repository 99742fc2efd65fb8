import type { CompletedCommand, CompletedOption } from '../actions/completion.ts';

/** A script for fish, to be sourced. */
export function fishCompletion(commands: readonly CompletedCommand[]): string {
  return [
    '# Completion of touchstone for fish.',
    'complete -c touchstone -n __fish_use_subcommand -f',
    ...commands.flatMap(linesOf),
    FISH_AFTER_NPX_AND_NPM,
  ].join('\n');
}

/** Completes after these two as well, where their words name touchstone. */
const FISH_AFTER_NPX_AND_NPM = String.raw`function __touchstone_words
    set -l words (commandline -opc)
    set -l at 2
    if test "$words[1]" = npm
        test "$words[2..4]" = 'run touchstone --'; and set at 4; or return 1
    else
        while string match -q -- '-*' "$words[$at]"
            set at (math $at + 1)
        end
        test "$words[$at]" = touchstone; or return 1
    end
    string escape -- touchstone $words[(math $at + 1)..-1]
end
function __touchstone_after
    complete -C (string join ' ' -- (__touchstone_words) (commandline -ct))
end
complete -c npx -n '__touchstone_words > /dev/null' -x -a '(__touchstone_after)'
complete -c npm -n '__touchstone_words > /dev/null' -x -a '(__touchstone_after)'`;

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
