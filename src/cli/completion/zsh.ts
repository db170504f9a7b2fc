import type { CompletionPlace, CompletionWord } from './tree.ts';

/** To be sourced, or installed as a file `_guard` in a directory of $fpath. */
export const zshScript = (places: readonly CompletionPlace[]): string => `#compdef guard
_guard_at() {
  case "$1" in
${places.map(rowOf).join('\n')}
    (*) commands=(); options=() ;;
  esac
}
_guard() {
  local at='' word
  local -a commands options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    _guard_at "$at"
    (( \${commands[(I)\${word}:*]} )) && at="\${at:+$at }$word"
  done
  case "$at \${words[CURRENT-1]}" in
${places.flatMap(valuesOf).join('\n')}
  esac
  _guard_at "$at"
  if [[ $PREFIX == -* ]]; then _describe -o option options
  elif (( $#commands )); then _describe command commands
  else _files
  fi
}
if [[ \${funcstack[1]} == _guard ]]; then _guard "$@"; else compdef _guard guard; fi
`;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const words = (list: readonly CompletionWord[]): string =>
  list.map(({ word, summary }) => quoted(`${word}:${summary.replaceAll(':', '\\:')}`)).join(' ');

const rowOf = ({ at, commands, options }: CompletionPlace): string =>
  `    ('${at}') commands=(${words(commands)}); options=(${words(options)}) ;;`;

const valuesOf = ({ at, options }: CompletionPlace): string[] =>
  options.flatMap(({ word, values }) => {
    if (values === null) return [];
    const offer = values.length === 0 ? '_files' : `compadd -- ${values.join(' ')}`;
    return [`    ('${at} ${word}') ${offer}; return ;;`];
  });
