// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** How the processes of coding clients are recognized: by their names and command lines, which are compared and never displayed. */
import { basename } from 'node:path';
import type { OtherClient } from '../core/needs/need.ts';

export type ClientName = 'claude' | OtherClient['client'];

interface ClientProgram {
  readonly client: ClientName;
  /** The native program. */
  readonly name?: RegExp;
  /** The script that Node runs, by its path or by the command that npm links to it. */
  readonly script?: RegExp;
  /** Long-running commands that are not sessions. */
  readonly no_session: readonly string[];
}

/** Wrappers in Node that only start a native program (Codex, Copilot CLI, opencode) are not in it: the program itself is. */
const PROGRAMS: readonly ClientProgram[] = [
  {
    client: 'claude',
    name: /^claude(?:\.exe)?$/,
    script: /[/\\]@anthropic-ai[/\\]claude-code[/\\]cli\.js$/,
    no_session: ['mcp', 'daemon'],
  },
  { client: 'codex', name: /^codex$/, no_session: ['mcp', 'mcp-server', 'app-server', 'exec-server'] },
  { client: 'copilot', name: /^copilot$/, no_session: ['mcp'] },
  { client: 'opencode', name: /^opencode(?:\.exe)?$/, no_session: ['mcp', 'serve', 'web', 'acp'] },
  { client: 'gemini', script: /[/\\](?:gemini|@google[/\\]gemini-cli[/\\].+\.js)$/, no_session: ['mcp'] },
  { client: 'qwen', script: /[/\\](?:qwen|@qwen-code[/\\]qwen-code[/\\].+\.js)$/, no_session: ['mcp'] },
];

export function clientNamed(
  name: string,
  [program = '', ...words]: readonly string[],
): ClientName | undefined {
  for (const { client, name: native, script, no_session } of PROGRAMS) {
    const at = script === undefined ? -1 : scriptAt(words, script);
    if (native?.test(name) !== true && native?.test(basename(program)) !== true && at === -1) continue;
    return no_session.includes(words[at + 1] ?? '') ? undefined : client;
  }
  return undefined;
}

/** Of Node's own options that come before the script, these have a value. */
const WITH_VALUE = new Set(['-r', '--require', '--import', '--loader', '--experimental-loader']);

/** The script is the first word that is neither an option of Node nor the value of one. -1: it is another script. */
function scriptAt(words: readonly string[], script: RegExp): number {
  const first = words.findIndex((word, at) => !word.startsWith('-') && !WITH_VALUE.has(words[at - 1] ?? ''));
  return script.test(words[first] ?? '') ? first : -1;
}
