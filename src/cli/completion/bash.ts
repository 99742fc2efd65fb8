import type { CompletedCommand, CompletedOption } from './completed.ts';

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
complete -o bashdefault -o default -F _touchstone touchstone`;
}

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
