import type { CompletedCommand, CompletedOption } from '../actions/completion.ts';

/** A script for bash, to be sourced. */
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
${AFTER_NPX_AND_NPM}`;
}

/** Completes after these two as well; whatever completed them before still completes everything else. */
const AFTER_NPX_AND_NPM = String.raw`_touchstone_npx() {
  local at=1
  while (( at < COMP_CWORD )) && [[ ${'$'}{COMP_WORDS[at]} == -* ]]; do (( at += 1 )); done
  _touchstone_after npx "$at" touchstone "$@"
}
_touchstone_npm() {
  _touchstone_after npm 3 -- "$@"
}
_touchstone_after() {
  local before=_touchstone_before_$1 at=$2 word=$3
  shift 3
  COMPREPLY=()
  if (( at < COMP_CWORD )) && [[ ${'$'}{COMP_WORDS[at]} == "$word" && ( $word != -- || "${'$'}{COMP_WORDS[*]:1:2}" == 'run touchstone' ) ]]; then
    COMP_WORDS=(touchstone "${'$'}{COMP_WORDS[@]:at+1}")
    (( COMP_CWORD -= at ))
    _touchstone
  elif [[ -n ${'$'}{!before} ]]; then
    "${'$'}{!before}" "$@"
  fi
}
for _touchstone_name in npx npm; do
  _touchstone_before=$(complete -p "$_touchstone_name" 2> /dev/null)
  if [[ -z $_touchstone_before || $_touchstone_before == *' -F '* ]]; then
    _touchstone_before=${'$'}{_touchstone_before##* -F }
    _touchstone_before=${'$'}{_touchstone_before%% *}
    [[ $_touchstone_before == _touchstone_* ]] || printf -v "_touchstone_before_$_touchstone_name" %s "$_touchstone_before"
    complete -o bashdefault -o default -F "_touchstone_$_touchstone_name" "$_touchstone_name"
  fi
done
unset _touchstone_name _touchstone_before`;

/** Cases of a shell `case`, one an option that takes a value: the words for it, or none for a file or a number. */
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
