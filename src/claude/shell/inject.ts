// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * Names the subagent in the guard calls of a Bash command, because nothing in its environment does. `--agent` goes into
 * each call of the parsed command line, after the subcommand, because a variable before a command breaks narrow
 * permission rules (`Bash(guard lock:*)`, measured). If the line cannot be parsed, or a call is hidden in text for
 * another shell, the variable is exported before the line.
 */
import { OWN_COMMANDS } from '../../core/own-commands.ts';
import { shellWord } from '../../core/shell-word.ts';
import type { AgentId } from '../../core/types.ts';
import { commandsOf, type LineWord } from './command-line.ts';

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The command with the agent added; null if it does not call guard, or names the same agent already. */
export function injectAgent(command: string, agent: AgentId): string | null {
  if (!MENTIONED.test(command)) return null;
  const parsed = commandsOf(command);
  if (parsed === null) return exported(command, agent);
  const edits = parsed.commands.flatMap((words) => editsFor(words, agent));
  const named = [...edits]
    .sort((a, b) => b.from - a.from)
    .reduce((text, edit) => text.slice(0, edit.from) + edit.text + text.slice(edit.to), command);
  if (parsed.hidden.some((text) => MENTIONED.test(text))) return exported(named, agent);
  return edits.length === 0 ? null : named;
}

const MENTIONED = /\bguard\b/;

const exported = (command: string, agent: AgentId): string =>
  `export GUARD_AGENT_ID=${shellWord(agent)}; ${command}`;

/** Words that may precede guard itself. */
const RUNNERS = new Set([
  ...['node', 'npx', 'npm', 'pnpm', 'pnpx', 'yarn', 'bun', 'bunx', 'exec', 'command', 'env', 'sudo', 'doas'],
  ...['time', 'timeout', 'nohup', 'nice', 'ionice', 'setsid', 'stdbuf', 'xargs'],
]);

function editsFor(words: readonly LineWord[], agent: AgentId): Edit[] {
  const at = words.findIndex((word) => isGuard(word.value));
  const runner = words[0]?.value.split('/').at(-1) ?? '';
  if (at === -1 || (at > 0 && !RUNNERS.has(runner))) return [];
  const rest = words.slice(at + 1);
  const [first] = rest;
  const speaks = first !== undefined && speaksOf(first.value);
  if (!speaks) return [];
  if (typeof speaks === 'object' && !speaks.includes(rest[1]?.value ?? '')) return [];
  const stop = rest.findIndex((word) => word.value === '--');
  const options = stop === -1 ? rest : rest.slice(0, stop);
  const given = options.filter((word) => word.value === '--agent' || word.value.startsWith('--agent='));
  if (given.length > 0) return given.flatMap((option) => replaceGiven(options, option, agent));
  const behind = speaks === 'itself' ? first : (rest[1] ?? first);
  return [{ from: behind.end, to: behind.end, text: ` --agent ${shellWord(agent)}` }];
}

const speaksOf = (command: string): (typeof OWN_COMMANDS)[string]['speaks'] =>
  Object.hasOwn(OWN_COMMANDS, command) ? OWN_COMMANDS[command]?.speaks : undefined;

const isGuard = (word: string): boolean => /^(?:.*\/)?guard(?:\.[cm]js)?$/.test(word);

/** A caller that the hook knows may not name another agent. */
function replaceGiven(options: readonly LineWord[], option: LineWord, agent: AgentId): Edit[] {
  const value = option.value === '--agent' ? options[options.indexOf(option) + 1] : undefined;
  const named = option.value === '--agent' ? value?.value : option.value.slice('--agent='.length);
  if (named === agent) return [];
  return [{ from: option.pos, to: value?.end ?? option.end, text: `--agent ${shellWord(agent)}` }];
}
