import { loadConfig } from '../../config/load.ts';
import { checking, ok } from '../check.ts';
import { serversNotJudged } from '../mcp-servers.ts';

/** Named without a warning: most servers write no files. */
export const mcpServers = checking('mcp_servers', ({ repo, env, settings }) => {
  const { mcp, lock_servers } = loadConfig({ repo, env });
  const servers = serversNotJudged({ root: repo.root, env, settings, mcp, lock_servers });
  const facts = { not_judged: servers };
  if (servers.length === 0) return ok('guard knows every MCP server here', { facts });
  const message = `MCP servers that guard stops only at files that another agent holds: ${servers.join(', ')}`;
  const hint =
    'If one of them writes files here, name its tools in "mcp.writers" of the configuration, and run: guard init';
  return ok(message, { facts, hint });
});
