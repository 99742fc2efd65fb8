import type { CompletedCommand, CompletedOption } from './actions/completion.ts';

/** Returns a script for bash, to be sourced. */
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  return `# Completion of touchstone for bash.
_touchstone() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} words='' before=''
  COMPREPLY=()
  if (( COMP_CWORD == 1 )); then
    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')} --help --version' -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]} $previous" in
${commands.flatMap(valueCases).join('\n')}
  esac
  if [[ -z $words ]]; then
    case "\${COMP_WORDS[1]}" in
${commands.map(wordsCase).join('\n')}
    esac
  elif [[ $current == *,* ]]; then
    before=\${current%,*},
    current=\${current##*,}
  fi
  COMPREPLY=($(compgen -P "$before" -W "$words" -- "$current"))
}
complete -o bashdefault -o default -F _touchstone touchstone
${BASH_AFTER_NPX}`;
}

/** Completes after npx, too; what completed that before still completes the rest. */
const BASH_AFTER_NPX = String.raw`_touchstone_npx() {
  local at=1
  while (( at < COMP_CWORD )) && [[ ${'$'}{COMP_WORDS[at]} == -* ]]; do (( at += 1 )); done
  COMPREPLY=()
  if (( at < COMP_CWORD )) && [[ ${'$'}{COMP_WORDS[at]} == touchstone ]]; then
    COMP_WORDS=(touchstone "${'$'}{COMP_WORDS[@]:at+1}")
    (( COMP_CWORD -= at ))
    _touchstone
  elif [[ -n $_touchstone_before_npx ]]; then
    "$_touchstone_before_npx" "$@"
  fi
}
_touchstone_before=$(complete -p npx 2> /dev/null)
if [[ -z $_touchstone_before || $_touchstone_before == *' -F '* ]]; then
  _touchstone_before=${'$'}{_touchstone_before##* -F }
  _touchstone_before=${'$'}{_touchstone_before%% *}
  [[ $_touchstone_before == _touchstone_npx ]] || _touchstone_before_npx=$_touchstone_before
  complete -o bashdefault -o default -F _touchstone_npx npx
fi
unset _touchstone_before`;

/** Returns a case for each option with a value: its words, or none for a file or a number. */
function valueCases({ name, options }: CompletedCommand): string[] {
  return options.flatMap((option) => {
    if (option.value === null) return [];
    const pattern = spellings(option)
      .map((flag) => `'${name} ${flag}'`)
      .join('|');
    const words = option.value.words.join(' ');
    return [`    ${pattern}) ${words === '' ? 'return' : `words='${words}'`} ;;`];
  });
}

function wordsCase({ name, words, options }: CompletedCommand): string {
  const flags = [...options.map(({ long }) => `--${long}`), '--help'].join(' ');
  return `      ${name}) if [[ $current == -* ]]; then words='${flags}'; else words='${words.join(' ')}'; fi ;;`;
}

function spellings({ short, long }: CompletedOption): string[] {
  return [...(short === null ? [] : [`-${short}`]), `--${long}`];
}

/** Returns a script for zsh, to be sourced after `compinit`, or to be put into a folder of `fpath` as `_touchstone`. */
export function zshCompletion(commands: readonly CompletedCommand[]): string {
  return `#compdef touchstone npx
_touchstone() {
  if [[ $service == npx ]]; then
    _touchstone_npx "$@"
    return
  fi
  local -a commands=(
${commands.map(({ name, summary }) => `    ${zshWord(`${name}:${summary}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe -t commands command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT -= 1 ))
  case $command in
${commands.map(caseOf).join('\n')}
  esac
}
${ZSH_AFTER_NPX}
if [[ $funcstack[1] == _touchstone ]]; then
  _touchstone "$@"
else
  [[ $_comps[npx] == _touchstone* ]] || typeset -g _touchstone_before=$_comps[npx]
  compdef _touchstone_npx npx
  compdef _touchstone touchstone
fi`;
}

/** Completes after npx, too. */
const ZSH_AFTER_NPX = String.raw`_touchstone_npx() {
  local -i at=2
  while (( at < CURRENT )) && [[ $words[at] == -* ]]; do (( at += 1 )); done
  if (( at < CURRENT )) && [[ $words[at] == touchstone ]]; then
    local service=touchstone
    words=(touchstone "${'$'}{(@)words[at+1,-1]}")
    (( CURRENT -= at - 1 ))
    _touchstone
  else
    ${'$'}{_touchstone_before:-_default} "$@"
  fi
}`;

function caseOf({ name, words, options }: CompletedCommand): string {
  const own = words.length === 0 ? '' : `compadd ${words.join(' ')}; `;
  const rest = zshWord(`*:name or file:{${own}_files}`);
  return `    ${name}) _arguments -s ${[...options.map(specOf), rest].join(' \\\n        ')} ;;`;
}

function specOf({ short, long, help, value }: CompletedOption): string {
  const described = zshWord(
    `[${help.replaceAll(/[[\]\\:]/g, String.raw`\$&`)}]${value === null ? '' : `:${long}:${actionOf(value)}`}`,
  );
  return short === null ? `--${long}${described}` : `'(-${short} --${long})'{-${short},--${long}}${described}`;
}

function actionOf({ words, isFile, isList }: NonNullable<CompletedOption['value']>): string {
  if (words.length === 0) return isFile ? '_files' : ' ';
  return isList ? `{_sequence compadd - ${words.join(' ')}}` : `(${words.join(' ')})`;
}

function zshWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Returns a script for fish, to be sourced. */
export function fishCompletion(commands: readonly CompletedCommand[]): string {
  return [
    '# Completion of touchstone for fish.',
    'complete -c touchstone -n __fish_use_subcommand -f',
    ...commands.flatMap(linesOf),
    FISH_AFTER_NPX,
  ].join('\n');
}

/** Completes after npx, too. */
const FISH_AFTER_NPX = String.raw`function __touchstone_words
    set -l words (commandline -opc)
    set -l at 2
    while string match -q -- '-*' "$words[$at]"
        set at (math $at + 1)
    end
    test "$words[$at]" = touchstone; or return 1
    string escape -- touchstone $words[(math $at + 1)..-1]
end
function __touchstone_after
    complete -C (string join ' ' -- (__touchstone_words) (commandline -ct))
end
complete -c npx -n '__touchstone_words > /dev/null' -x -a '(__touchstone_after)'`;

function linesOf({ name, summary, words, options }: CompletedCommand): string[] {
  const here = `complete -c touchstone -n ${fishWord(`__fish_seen_subcommand_from ${name}`)}`;
  return [
    `complete -c touchstone -n __fish_use_subcommand -a ${name} -d ${fishWord(summary)}`,
    ...(words.length === 0 ? [] : [`${here} -a ${fishWord(words.join(' '))}`]),
    ...options.map((option) => `${here}${flagsOf(option)}${valueOf(option)} -d ${fishWord(option.help)}`),
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
  return ` -x -a ${fishWord(isList ? `(__fish_append , ${list})` : list)}`;
}

function fishWord(text: string): string {
  return `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
}
