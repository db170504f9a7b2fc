// server.json for the MCP registry. The name and the package are the publisher's: guard itself has no published package
// (docs/decisions/092-package-name.md), and a registry checks that the package names the server in return (mcpName).
//   node scripts/server-json.mjs io.github.you/guard @you/guard https://github.com/you/guard > server.json
import { readFileSync } from 'node:fs';

const [name, identifier, url] = process.argv.slice(2);
if (url === undefined || !/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/.test(name)) {
  console.error('usage: node scripts/server-json.mjs NAMESPACE/NAME PACKAGE REPOSITORY_URL');
  process.exit(64);
}
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const server = {
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name,
  description: 'Locks, reservations and messages for coding agents that share a repository.',
  version,
  repository: { url, source: 'github' },
  packages: [
    {
      registryType: 'npm',
      identifier,
      version,
      transport: { type: 'stdio' },
      packageArguments: [{ type: 'positional', value: 'mcp' }],
    },
  ],
};
console.log(JSON.stringify(server, null, 2));
