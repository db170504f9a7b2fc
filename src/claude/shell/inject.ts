/**
 * Says who a subagent is to the guard calls of a Bash command: nothing in a subagent's environment does.
 * `--agent` goes into each call of the parsed command line, behind the subcommand, because a variable in front
 * of a command breaks narrow permission rules (`Bash(guard lock:*)`, measured); where the line cannot be
 * parsed, the variable is exported in front of it.
 */
import { parse } from 'unbash';
import { shellWord } from '../../core/shell-word.ts';
import type { AgentId } from '../../core/types.ts';

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

interface Word {
  readonly value: string;
  readonly pos: number;
  readonly end: number;
}

/** The command with the agent in it; null when it calls no guard, or already says the same. */
export function injectAgent(command: string, agent: AgentId): string | null {
  if (!/\bguard\b/.test(command)) return null;
  const script = parse(command);
  if ((script.errors?.length ?? 0) > 0) return `export GUARD_AGENT_ID=${shellWord(agent)}; ${command}`;
  const edits = commandsIn(script).flatMap((words) => editFor(words, agent));
  if (edits.length === 0) return null;
  return [...edits]
    .sort((a, b) => b.from - a.from)
    .reduce((text, edit) => text.slice(0, edit.from) + edit.text + text.slice(edit.to), command);
}

/** Every simple command, inside substitutions, loops and functions too, as its words. */
function commandsIn(node: unknown): Word[][] {
  if (Array.isArray(node)) return node.flatMap(commandsIn);
  if (typeof node !== 'object' || node === null) return [];
  // Positions of a rebuilt string (nested backticks) are not positions of this command line.
  if ('source' in node && node.source !== undefined) return [];
  const inner = Object.values(node).flatMap(commandsIn);
  if (!('type' in node) || node.type !== 'Command' || !('name' in node) || !isWord(node.name)) return inner;
  const suffix = 'suffix' in node && Array.isArray(node.suffix) ? node.suffix.filter(isWord) : [];
  return [[node.name, ...suffix], ...inner];
}

function isWord(value: unknown): value is Word {
  return typeof value === 'object' && value !== null && 'pos' in value && 'end' in value && 'value' in value;
}

/** Words that may stand before guard itself, and commands that have subcommands. */
const RUNNERS = new Set(['node', 'npx', 'exec', 'command', 'time', 'nohup', 'env', 'timeout', 'xargs']);
const GROUPS = new Set(['lock', 'message', 'negotiate', 'agent', 'task']);

function editFor(words: readonly Word[], agent: AgentId): Edit[] {
  const at = words.findIndex((word) => isGuard(word.value));
  const runner = words[0]?.value.split('/').at(-1) ?? '';
  if (at === -1 || (at > 0 && !RUNNERS.has(runner))) return [];
  const rest = words.slice(at + 1);
  const [first] = rest;
  if (first === undefined || first.value.startsWith('-') || first.value === 'hook') return [];
  const given = rest.findIndex((word) => word.value === '--agent' || word.value.startsWith('--agent='));
  const stop = rest.findIndex((word) => word.value === '--');
  if (given !== -1 && (stop === -1 || given < stop)) return replaceGiven(rest, given, agent);
  const behind = GROUPS.has(first.value) ? (rest[1] ?? first) : first;
  return [{ from: behind.end, to: behind.end, text: ` --agent ${shellWord(agent)}` }];
}

const isGuard = (word: string): boolean => /^(?:.*\/)?guard(?:\.mjs)?$/.test(word);

/** A caller that the hook knows may not name another agent. */
function replaceGiven(rest: readonly Word[], at: number, agent: AgentId): Edit[] {
  const option = rest[at];
  const value = rest[at + 1];
  if (option === undefined) return [];
  const named = option.value === '--agent' ? value?.value : option.value.slice('--agent='.length);
  if (named === agent) return [];
  const to = option.value === '--agent' && value !== undefined ? value.end : option.end;
  return [{ from: option.pos, to, text: `--agent ${shellWord(agent)}` }];
}
