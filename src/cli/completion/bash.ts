import type { CompletionPlace } from './tree.ts';

/** For bash 3.2 and later: no associative arrays, and nothing from the bash-completion package. */
export const bashScript = (places: readonly CompletionPlace[]): string => `# guard completion bash
_guard_at() {
  case "$1" in
${places.map(rowOf).join('\n')}
    *) commands='' options='' ;;
  esac
}
_guard() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD - 1]}" at='' commands options word i
  if [ "$cur" = '=' ]; then cur=''
  elif [ "$prev" = '=' ]; then prev="\${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    _guard_at "$at"
    case " $commands " in *" $word "*) at="\${at:+$at }$word" ;; esac
  done
  COMPREPLY=()
  case "$at $prev" in
${places.flatMap(valuesOf).join('\n')}
  esac
  _guard_at "$at"
  case "$cur" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$cur")) ;;
    *) COMPREPLY=($(compgen -W "$commands" -- "$cur")) ;;
  esac
}
complete -o default -F _guard guard
`;

const rowOf = ({ at, commands, options }: CompletionPlace): string => {
  const words = (list: readonly { readonly word: string }[]): string =>
    list.map(({ word }) => word).join(' ');
  return `    '${at}') commands='${words(commands)}' options='${words(options)}' ;;`;
};

/** If anything may follow, the shell offers files. */
const valuesOf = ({ at, options }: CompletionPlace): string[] =>
  options.flatMap(({ word, values }) =>
    values === null
      ? []
      : [`    '${at} ${word}') COMPREPLY=($(compgen -W '${values.join(' ')}' -- "$cur")); return ;;`],
  );
