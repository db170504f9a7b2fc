/** Scripts that are run: their text is read one level deep, by shebang or extension. */
import type { Argument, Call, Reading, Run } from '../call.ts';
import { extensionOf } from '../path.ts';
import { NOTHING, pathOf, runs, unknownTarget } from './reading.ts';

/** A longer script takes too long to read before a command. */
const MOST_BYTES = 65_536;

export type ScriptLanguage = Extract<Run, { kind: 'code' }>['language'] | 'shell';

const BY_EXTENSION: Readonly<Record<string, ScriptLanguage>> = {
  '.py': 'python',
  ...{ '.js': 'node', '.mjs': 'node', '.cjs': 'node', '.ts': 'node', '.mts': 'node', '.cts': 'node' },
  '.rb': 'ruby',
  '.pl': 'perl',
  ...{ '.sh': 'shell', '.bash': 'shell', '.zsh': 'shell' },
};

const BY_SHEBANG: readonly (readonly [RegExp, ScriptLanguage])[] = [
  [/python/, 'python'],
  [/node|bun|deno|tsx/, 'node'],
  [/ruby/, 'ruby'],
  [/perl/, 'perl'],
  [/(?:^|\/|\s)(?:ba|da|z|k|a)?sh\b/, 'shell'],
];

/**
 * `script` as its interpreter finds it (a path), run with `args`. `language`: given if the interpreter is named;
 * otherwise the script decides. Also for a command word with a slash: `./x.sh`.
 */
export function readScript(
  call: Call,
  script: Argument,
  args: readonly Argument[],
  language?: ScriptLanguage,
): Reading {
  const path = pathOf(call, script);
  if (path === null) return unknownTarget(call, script);
  const { look } = call.start;
  if (look.kind(path) === 'other') return NOTHING;
  const text = look.text(path, MOST_BYTES);
  const spoken = language ?? (text === null ? undefined : languageOf(path, text));
  if (text === null || spoken === undefined) return unknownTarget(call, script, 'script');
  // process.argv includes the script.
  return readScriptText(spoken, text, spoken === 'node' ? [script, ...args] : args);
}

export function readScriptText(language: ScriptLanguage, text: string, args: readonly Argument[]): Reading {
  if (language === 'shell') return runs({ kind: 'line', text, args });
  return runs({ kind: 'code', language, text, args });
}

function languageOf(path: string, text: string): ScriptLanguage | undefined {
  const shebang = /^#!(.*)/.exec(text)?.[1];
  const named = BY_SHEBANG.find(([form]) => shebang !== undefined && form.test(shebang))?.[1];
  return named ?? BY_EXTENSION[extensionOf(path)];
}
