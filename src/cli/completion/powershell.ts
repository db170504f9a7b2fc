import type { CompletionPlace } from './tree.ts';

/**
 * For PowerShell 5.1 and later: a native argument completer, with the summaries as tooltips. Rows are filtered in one pipeline:
 * a single row that a variable took from a pipeline would be unrolled into its word and its summary.
 */
export const powershellScript = (places: readonly CompletionPlace[]): string => `# guard completion powershell
Register-ArgumentCompleter -Native -CommandName guard -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $places = @{
${places.map(rowOf).join('\n')}
  }
  $values = @{
${places.flatMap(valuesOf).join('\n')}
  }
  $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  $at = ''
  foreach ($word in $words) {
    $deeper = if ($at -eq '') { $word } else { "$at $word" }
    if ($places.ContainsKey($deeper)) { $at = $deeper }
  }
  $key = if ($words.Count -gt 0) { "$at $($words[-1])" } else { '' }
  $fixed = $values.ContainsKey($key)
  if ($fixed) { $rows = $values[$key] } else { $rows = $places[$at] }
  $ordinal = [System.StringComparison]::Ordinal
  $option = $wordToComplete.StartsWith('-', $ordinal)
  $rows | Where-Object { ($fixed -or $_[0].StartsWith('-', $ordinal) -eq $option) -and $_[0].StartsWith($wordToComplete, $ordinal) } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_[0], $_[0], 'ParameterValue', $_[1])
  }
}
`;

const rowOf = ({ at, commands, options }: CompletionPlace): string =>
  `    ${quoted(at)} = @(${[...commands, ...options].map(({ word, summary }) => pair(word, summary)).join(' + ')})`;

/** If anything may follow, PowerShell offers files by default. */
const valuesOf = ({ at, options }: CompletionPlace): string[] =>
  options.flatMap(({ word, values }) =>
    values === null || values.length === 0
      ? []
      : [`    ${quoted(`${at} ${word}`)} = @(${values.map((value) => pair(value, value)).join(' + ')})`],
  );

/** The leading comma keeps a single pair from being unrolled into its two strings. */
const pair = (word: string, summary: string): string => `,@(${quoted(word)}, ${quoted(summary || word)})`;

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
