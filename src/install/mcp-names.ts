/** What the configuration says about MCP tools, in the form that the table of hooks needs. */
import { join } from 'node:path';
import { REPO_CONFIG } from '../config/load.ts';
import { readConfigFile } from '../config/file.ts';
import { LOCK_SERVERS, type McpToolSetting, type McpToolSettings } from '../config/schema.ts';
import type { Repo } from '../repo/locate.ts';
import { type Environment, userConfigFile } from '../repo/user-dirs.ts';
import type { McpNames } from './entries.ts';
import { ownServers } from './mcp-server.ts';

/** Matchers are generated from the configuration, so run `guard init` again after naming other MCP tools there. */
export function mcpNamesFor(
  repo: Repo,
  env: Environment,
  worktrees: boolean,
): Readonly<Record<'shared' | 'own', McpNames>> {
  const shared = readConfigFile(join(repo.root, REPO_CONFIG), 'repository');
  const user = readConfigFile(userConfigFile(env), 'user');
  const servers = (...files: readonly ({ readonly lock_servers: readonly string[] } | null)[]) => ({
    worktrees,
    own_servers: ownServers(repo.root),
    lock_servers: [...new Set([...LOCK_SERVERS, ...files.flatMap((file) => file?.lock_servers ?? [])])],
  });
  return {
    shared: { ...namesOf([shared?.mcp]), ...servers(shared) },
    own: { ...namesOf([user?.mcp, shared?.mcp]), ...servers(user, shared) },
  };
}

function namesOf(tools: readonly (McpToolSettings | undefined)[]): McpNames {
  const names = (list: 'readers' | 'writers') =>
    tools.flatMap((some) => some?.[list] ?? []).map((tool: McpToolSetting) => tool.tool);
  return { readers: names('readers'), writers: names('writers') };
}
