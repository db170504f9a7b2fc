import type { OptionWord, CompletionPlace } from './tree.ts';

export const fishScript = (places: readonly CompletionPlace[]): string => `# guard completion fish
function __guard_is_at
    set -l places ${places
      .map(({ at }) => at)
      .filter((at) => at !== '')
      .map(quoted)
      .join(' ')}
    set -l at ''
    for word in (commandline -opc)[2..-1]
        set -l deeper (string trim -- "$at $word")
        contains -- $deeper $places; and set at $deeper
    end
    test "$at" = "$argv[1]"
end
${places.flatMap(linesOf).join('\n')}
`;

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function linesOf({ at, commands, options }: CompletionPlace): string[] {
  const begin = `complete -c guard -n "__guard_is_at '${at}'"`;
  return [
    ...commands.map(({ word, summary }) => `${begin} -f -a ${word} -d ${quoted(summary)}`),
    ...options.map((option) => `${begin} ${optionWords(option)} -d ${quoted(option.summary)}`),
  ];
}

function optionWords({ word, values }: OptionWord): string {
  const name = `-l ${word.replace(/^--/, '')}`;
  if (values === null) return name;
  return values.length === 0 ? `${name} -r` : `${name} -x -a ${quoted(values.join(' '))}`;
}
