// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * Tells every guard process that a Bash command starts who runs it, because nothing in a subagent's environment does. A
 * final comment line is the only form that permission rules, redirections and here-documents do not notice, and that no way
 * of writing a call avoids (docs/decisions/081). Its second word is a seal, so that no other agent can write it.
 */
import type { AgentId } from '../../core/types.ts';
import { readKey } from '../../repo/key.ts';
import { makeKey } from '../../repo/make-key.ts';
import { seal } from '../../repo/seal.ts';
import { commandsOf } from './command-line.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The command with its mark; null if there is no key, or if the mark would become part of the command's text. */
export function marked(command: string, agent: AgentId, env: Environment): string | null {
  // An existing mark would count instead.
  if (!isClosed(command)) return command.includes(MARK) ? command.replaceAll(MARK, '# ') : null;
  const key = readKey(env) ?? makeKey(env);
  return key === null ? null : `${command}\n${markOf(key, agent, env['CLAUDE_CODE_SESSION_ID'] ?? '')}`;
}

/** Short if the command's environment names its session, complete if it does not (clients up to 2.1.100). */
export function markOf(key: Uint8Array, agent: AgentId, session: string): string {
  const [own = agent, sub] = agent.split(/\/(.*)/s);
  const name = session === '' || !own.startsWith(`claude-${session}`) ? agent : (sub ?? 'main');
  return `${MARK}${name} ${markSeal(key, agent)}`;
}

const MARK = '# guard:';

const SEAL_CHARS = 8;

export const markSeal = (key: Uint8Array, agent: AgentId): string =>
  seal(key, 'command', agent).slice(0, SEAL_CHARS);

/** False if a line after the command would be part of a here-document or of the last word. */
function isClosed(command: string): boolean {
  if (CONTINUED.test(command) || SPLIT.test(command)) return false;
  return !command.includes('<<') || isClosedByLines(command) || isClosedByParser(command);
}

/** An odd number of backslashes after a word; after a blank the mark is a comment in any case. */
const CONTINUED = /[^\s;&|(){}\\](?:\\\\)*\\$/;

/** The delimiter of a here-document on its own line. */
const SPLIT = /<<-?[ \t]*\\\n/;

const isJoined = (line: string): boolean => /(?:^|[^\\])(?:\\\\)*\\$/.test(line);

/** `<<`, and a delimiter with or without quotes. */
const HERE = /<<(-?)[ \t]*((?:'[^'\n]*'|"[^"\n]*"|\\.|[^\s'"<>|&;()\\])+)/g;

/** Fast, but mistakes text in quotes, a comment or `$((1<<n))` for a here-document. */
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

/** Also false if the command cannot be parsed. */
function isClosedByParser(command: string): boolean {
  const found = commandsOf(`${command}\n${MARK}`);
  return (
    found !== null &&
    found.documents.every(
      ({ text, plain }) => !text.includes(MARK) && !(plain && text.split('\n').some(isJoined)),
    )
  );
}
