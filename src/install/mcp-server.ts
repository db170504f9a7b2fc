// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** guard's own MCP server in a client's configuration: how it is registered and recognised. */
import { asList, asObject, isObject, type JsonObject, parsedObject } from '../core/json-object.ts';
import { OWN_SERVERS } from '../core/lock-tools.ts';
import { textOf } from '../repo/small-file.ts';
import type { Environment } from '../repo/user-dirs.ts';
import { MCP_FILE } from './command.ts';
import { clientMemory } from './scopes.ts';

/** One server in the form of `.mcp.json`. */
export interface McpServer {
  readonly command: string;
  readonly args: readonly string[];
}

const MAX_BYTES = 1_048_576;

/**
 * The keys under which a checkout's clients know guard's server, in `.mcp.json` and in the file of `claude mcp add`. A key
 * that names another program is not guard's. Whatever these files say, a call is accepted only with its hook's seal: a
 * wrong entry makes guard's tools refuse, and never lets one agent pose as another.
 * @param usual keys that count as guard's unless an entry says otherwise
 */
export function ownServers(
  root: string,
  env: Environment = {},
  usual: readonly string[] = OWN_SERVERS,
): readonly string[] {
  const entries = [
    ...Object.entries(addedServers(root, env)),
    ...Object.entries(serversIn(`${root}/${MCP_FILE}`)),
  ];
  const others = entries.filter(([, entry]) => !isGuardServer(entry)).map(([name]) => name);
  const own = entries.filter(([, entry]) => isGuardServer(entry)).map(([name]) => name);
  return [...new Set([...usual.filter((name) => !others.includes(name)), ...own])];
}

/** guard's lock_try under the name by which agents here call it; `null` if no file registers a server. */
export function lockTool(root: string, env: Environment): string | null {
  const [key] =
    Object.entries(serversIn(`${root}/${MCP_FILE}`)).find(([, entry]) => servesLocks(entry)) ?? [];
  if (key !== undefined) return `mcp__${key}__lock_try`;
  // A plugin's hooks know its directory, and guard's plugin contains the server.
  return (env['CLAUDE_PLUGIN_ROOT'] ?? '') === '' ? null : 'mcp__plugin_guard_guard__lock_try';
}

/** `guard mcp`, by name, by path, or through node. */
export function isGuardServer(entry: unknown): boolean {
  if (!isObject(entry)) return false;
  const { command, args } = entry;
  const words = [command, ...asList(args)].filter((word): word is string => typeof word === 'string');
  const at = words.findIndex((word) => /(?:^|[/\\])(?:guard(?:\.[cm]js)?|guard-hook\.cjs)$/.test(word));
  return at >= 0 && words[at + 1] === 'mcp';
}

/** Without `--tools` it serves locks. */
function servesLocks(entry: unknown): boolean {
  if (!isGuardServer(entry)) return false;
  const { args } = entry as { readonly args?: unknown };
  const words = asList(args);
  const at = words.findIndex((word) => typeof word === 'string' && word.startsWith('--tools'));
  return at === -1 || words.slice(at, at + 2).some((word) => String(word).includes('locks'));
}

const serversIn = (file: string): JsonObject => asObject(jsonIn(file)['mcpServers']);

/** Servers of the scopes `user` and `local`: the user's own, and those of this project. */
function addedServers(root: string, env: Environment): JsonObject {
  const said = jsonIn(clientMemory(env));
  const project = asObject(asObject(said['projects'])[root]);
  return { ...asObject(said['mcpServers']), ...asObject(project['mcpServers']) };
}

/** If the client cannot read a file, it starts no servers from it either. */
const jsonIn = (file: string): JsonObject => parsedObject(textOf(file, MAX_BYTES));
