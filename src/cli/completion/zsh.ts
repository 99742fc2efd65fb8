import type { CompletedCommand, CompletedOption } from './completed.ts';

/** A script for zsh, to be sourced after `compinit`, or to be put into a folder of `fpath` as `_touchstone`. */
export function zshCompletion(commands: readonly CompletedCommand[]): string {
  return `#compdef touchstone
_touchstone() {
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
if [[ $funcstack[1] == _touchstone ]]; then
  _touchstone "$@"
else
  compdef _touchstone touchstone
fi`;
}

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
