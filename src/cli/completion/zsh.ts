import type { CompletedCommand, CompletedOption } from '../actions/completion.ts';

/** A script for zsh, to be sourced after `compinit`, or to be put into a folder of `fpath` as `_touchstone`. */
export function zshCompletion(commands: readonly CompletedCommand[]): string {
  return `#compdef touchstone npx
_touchstone() {
  if [[ $service == npx ]]; then
    _touchstone_npx "$@"
    return
  fi
  local -a commands=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`).join('\n')}
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
${AFTER_NPX_AND_NPM}
if [[ $funcstack[1] == _touchstone ]]; then
  _touchstone "$@"
else
  typeset -gA _touchstone_before
  for _touchstone_name in npx npm; do
    [[ $_comps[$_touchstone_name] == _touchstone* ]] || _touchstone_before[$_touchstone_name]=$_comps[$_touchstone_name]
    compdef _touchstone_$_touchstone_name $_touchstone_name
  done
  unset _touchstone_name
  compdef _touchstone touchstone
fi`;
}

/** Completes after these two as well; whatever completed them before still completes everything else. From a folder of `fpath`, after npx alone: zsh has a completion of npm. */
const AFTER_NPX_AND_NPM = String.raw`_touchstone_npx() {
  local -i at=2
  while (( at < CURRENT )) && [[ $words[at] == -* ]]; do (( at += 1 )); done
  if (( at < CURRENT )) && [[ $words[at] == touchstone ]]; then
    _touchstone_from $at
  else
    _touchstone_otherwise npx "$@"
  fi
}
_touchstone_npm() {
  if (( CURRENT > 4 )) && [[ "$words[2,4]" == 'run touchstone --' ]]; then
    _touchstone_from 4
  else
    _touchstone_otherwise npm "$@"
  fi
}
_touchstone_from() {
  local service=touchstone
  words=(touchstone "${'$'}{(@)words[$1+1,-1]}")
  (( CURRENT -= $1 - 1 ))
  _touchstone
}
_touchstone_otherwise() {
  local before=${'$'}{_touchstone_before[$1]:-_default}
  shift
  $before "$@"
}`;

function caseOf({ name, words, options }: CompletedCommand): string {
  const own = words.length === 0 ? '' : `compadd ${words.join(' ')}; `;
  const rest = quoted(`*:name or file:{${own}_files}`);
  return `    ${name}) _arguments -s ${[...options.map(specOf), rest].join(' \\\n        ')} ;;`;
}

function specOf({ short, long, help, value }: CompletedOption): string {
  const described = quoted(
    `[${help.replaceAll(/[[\]\\:]/g, String.raw`\$&`)}]${value === null ? '' : `:${long}:${actionOf(value)}`}`,
  );
  return short === null ? `--${long}${described}` : `'(-${short} --${long})'{-${short},--${long}}${described}`;
}

function actionOf({ words, isFile, isList }: NonNullable<CompletedOption['value']>): string {
  if (words.length === 0) return isFile ? '_files' : ' ';
  return isList ? `{_sequence compadd - ${words.join(' ')}}` : `(${words.join(' ')})`;
}

/** Text that the shell takes as it is. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
