// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * Says who runs a Bash command to every guard that it starts: nothing in a subagent's environment does. A last comment line
 * is the one form that permission rules, redirections and here-documents do not notice, and that no spelling of a call
 * escapes (docs/decisions/081). Its second word is a seal, so that no other agent can write it.
 */
import type { AgentId } from '../../core/types.ts';
import { readKey } from '../../repo/key.ts';
import { makeKey } from '../../repo/make-key.ts';
import { seal } from '../../repo/seal.ts';
import { commandsOf } from './command-line.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The command with its mark; null where there is no key, or where the mark would become part of what it says. */
export function marked(command: string, agent: AgentId, env: Environment): string | null {
  // A mark that stands there already would count instead.
  if (!isClosed(command)) return command.includes(MARK) ? command.replaceAll(MARK, '# ') : null;
  const key = readKey(env) ?? makeKey(env);
  return key === null ? null : `${command}\n${markOf(key, agent, env['CLAUDE_CODE_SESSION_ID'] ?? '')}`;
}

/** Short where the command's environment names its session, whole where it does not (clients up to 2.1.100). */
export function markOf(key: Uint8Array, agent: AgentId, session: string): string {
  const [own = agent, sub] = agent.split(/\/(.*)/s);
  const name = session === '' || !own.startsWith(`claude-${session}`) ? agent : (sub ?? 'main');
  return `${MARK}${name} ${markSeal(key, agent)}`;
}

const MARK = '# guard:';

const SEAL_CHARS = 8;

export const markSeal = (key: Uint8Array, agent: AgentId): string =>
  seal(key, 'command', agent).slice(0, SEAL_CHARS);

/** False where a line behind the command would be part of a here-document, or of the last word. */
function isClosed(command: string): boolean {
  if (CONTINUED.test(command) || SPLIT.test(command)) return false;
  return !command.includes('<<') || isClosedByLines(command) || isClosedByParser(command);
}

/** An odd number of backslashes behind a word; behind a blank the mark is a comment all the same. */
const CONTINUED = /[^\s;&|(){}\\](?:\\\\)*\\$/;

/** The name of a here-document on a line of its own. */
const SPLIT = /<<-?[ \t]*\\\n/;

const isJoined = (line: string): boolean => /(?:^|[^\\])(?:\\\\)*\\$/.test(line);

/** `<<`, and a name with or without quotes. */
const HERE = /<<(-?)[ \t]*((?:'[^'\n]*'|"[^"\n]*"|\\.|[^\s'"<>|&;()\\])+)/g;

/** Quick, and of what is in quotes, a comment or `$((1<<n))` it thinks that it is a here-document. */
function isClosedByLines(command: string): boolean {
  const open: { readonly end: string; readonly tabs: boolean; readonly plain: boolean }[] = [];
  let continues = false;
  for (const line of command.split('\n')) {
    const [next] = open;
    if (next !== undefined) {
      if (!continues && (next.tabs ? line.replace(/^\t+/, '') : line) === next.end) open.shift();
      continues = next.plain && isJoined(line);
      continue;
    }
    // `<<<` takes a word, not lines.
    for (const [, dash, name = ''] of line.replaceAll('<<<', '   ').matchAll(HERE))
      open.push({ end: name.replace(/['"\\]/g, ''), tabs: dash === '-', plain: !/['"\\]/.test(name) });
  }
  return open.length === 0;
}

/** False also for what cannot be parsed. */
function isClosedByParser(command: string): boolean {
  const found = commandsOf(`${command}\n${MARK}`);
  return (
    found !== null &&
    found.documents.every(
      ({ text, plain }) => !text.includes(MARK) && !(plain && text.split('\n').some(isJoined)),
    )
  );
}
