/**
 * Says who runs a Bash command to every guard that it starts: nothing in a subagent's environment does. A last comment line
 * is the one form that permission rules, redirections and here-documents do not notice, and that no spelling of a call
 * escapes (docs/decisions/081). Its second word is a seal, so that no other agent can write it.
 */
import type { AgentId } from '../../core/types.ts';
import { readKey } from '../../repo/key.ts';
import { makeKey } from '../../repo/make-key.ts';
import { seal } from '../../repo/seal.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The command with its mark; null where there is no key, or where the mark would go into a here-document. */
export function marked(command: string, agent: AgentId, env: Environment): string | null {
  if (!isClosed(command)) return null;
  const key = readKey(env) ?? makeKey(env);
  return key === null ? null : `${command}\n${markOf(key, agent, env['CLAUDE_CODE_SESSION_ID'] ?? '')}`;
}

/** Short where the command's environment names its session, whole where it does not (clients up to 2.1.100). */
export function markOf(key: Uint8Array, agent: AgentId, session: string): string {
  const [own = agent, sub] = agent.split(/\/(.*)/s);
  const name = session === '' || !own.startsWith(`claude-${session}`) ? agent : (sub ?? 'main');
  return `# guard:${name} ${markSeal(key, agent)}`;
}

const SEAL_CHARS = 8;

export const markSeal = (key: Uint8Array, agent: AgentId): string =>
  seal(key, 'command', agent).slice(0, SEAL_CHARS);

/** The mark is nothing that an agent wrote. */
export const unmarked = (command: string): string => command.replace(MARK_LINE, '');

const MARK_LINE = /\n# guard:[^\s]{1,220} [0-9a-f]{8}$/;

/** The delimiters of here-documents, as far as they can be told without parsing. A wrong guess only leaves a mark out. */
const HERE = /<<(-?)[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|\\?([^\s'"<>|&;()\\]+))/g;

/** False where the last here-document has no end: what follows would be part of it. */
function isClosed(command: string): boolean {
  if (!command.includes('<<')) return true;
  const open: { readonly end: string; readonly tabs: boolean }[] = [];
  for (const line of command.split('\n')) {
    const [next] = open;
    if (next !== undefined) {
      if ((next.tabs ? line.replace(/^\t+/, '') : line) === next.end) open.shift();
      continue;
    }
    // `<<<` takes a word, not lines.
    for (const [, dash, ...words] of line.replaceAll('<<<', '   ').matchAll(HERE))
      open.push({ end: words.find(Boolean) ?? '', tabs: dash === '-' });
  }
  return open.length === 0;
}
