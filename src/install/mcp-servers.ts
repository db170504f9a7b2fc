/** The MCP servers that a session in a checkout would start, and which of them guard knows to write files. */
import { join } from 'node:path';
import { isKnownServer } from '../claude/mcp/known.ts';
import type { McpToolSettings } from '../config/schema.ts';
import type { Environment } from '../repo/user-dirs.ts';
import { textOf } from '../repo/small-file.ts';
import { MCP_FILE } from './command.ts';
import { asObject, type JsonObject, parsedObject } from '../core/json-object.ts';
import { isGuardServer } from './mcp-server.ts';
import { enabledPlugins } from './plugins.ts';
import { clientMemory } from './scopes.ts';
import type { SettingsSeen } from './settings-seen.ts';

export interface ServersHere {
  readonly root: string;
  readonly env: Environment;
  readonly settings: readonly SettingsSeen[];
  readonly mcp: McpToolSettings;
  readonly lock_servers: readonly string[];
}

/** `~/.claude.json` contains what the client remembers about every project: megabytes after a year. */
const MAX_BYTES = 33_554_432;

/** Keys of servers whose tools are stopped only at files that another agent holds, sorted. */
export function serversNotJudged(here: ServersHere): string[] {
  const rows = [...here.mcp.writers, ...here.mcp.readers];
  const isJudged = ([key, entry]: readonly [string, unknown]): boolean =>
    isGuardServer(entry) ||
    isKnownServer(key) ||
    here.lock_servers.includes(key) ||
    rows.some(({ tool }) => tool.startsWith(`mcp__${asInTools(key)}__`));
  const names = serversOf(here).filter((server) => !isJudged(server));
  return [...new Set(names.map(([key]) => key))].sort();
}

/** A key in the form that the names of its tools contain. */
const asInTools = (key: string): string => key.replace(/[^\w-]/g, '_');

/** How long the client waits for an answer, if a server's entry says so, by the prefix of the names of its tools. */
export const serverTimeouts = (
  here: Pick<ServersHere, 'root' | 'env' | 'settings'>,
): ReadonlyMap<string, number> =>
  new Map(
    serversOf(here).flatMap(([key, entry]) => {
      const { timeout } = asObject(entry);
      return typeof timeout === 'number' && timeout > 0
        ? [[`mcp__${asInTools(key)}__`, timeout] as const]
        : [];
    }),
  );

function serversOf({
  root,
  env,
  settings,
}: Pick<ServersHere, 'root' | 'env' | 'settings'>): [string, unknown][] {
  const home = objectIn(clientMemory(env));
  const project = asObject(asObject(home['projects'])[root]);
  const plugins = enabledPlugins(settings, env).map((plugin) => join(plugin.root, MCP_FILE));
  const files = [join(root, MCP_FILE), ...plugins].map(objectIn);
  return [home, project, ...files].flatMap(({ mcpServers }) => Object.entries(asObject(mcpServers)));
}

const objectIn = (file: string): JsonObject => parsedObject(textOf(file, MAX_BYTES));
