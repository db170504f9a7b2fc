/** `guard init --mcp`: adds the lock tools to .mcp.json, and removes them again. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { scratch, type Scratch } from '../../claude/driver.ts';

const servers = (at: Scratch): Record<string, unknown> =>
  (JSON.parse(at.read('.mcp.json')) as { mcpServers: Record<string, unknown> }).mcpServers;
const allowed = (at: Scratch): readonly string[] =>
  (JSON.parse(at.read('.claude/settings.json')) as { permissions: { allow: string[] } }).permissions.allow;

describe('guard init --mcp', () => {
  it('registers the server, started by the committed launcher, and allows its tools', () => {
    const at = scratch({ init: ['--mcp'], fresh: true });
    expect(servers(at)).toEqual({
      guard: { command: 'node', args: ['${CLAUDE_PROJECT_DIR:-.}/.claude/guard-hook.cjs', 'mcp'] },
    });
    expect(allowed(at)).toEqual(
      expect.arrayContaining([
        'mcp__guard__lock_try',
        'mcp__guard__lock_wait',
        'mcp__guard__lock_release_all',
      ]),
    );
    const again = at.guard('init', '--json').json() as { changed: boolean };
    expect(again.changed).toBe(false);
  });

  it('the entry works: the launcher serves the tools', () => {
    const at = scratch({ init: ['--mcp'], fresh: true });
    const hello = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    };
    const told = spawnSync(process.execPath, ['.claude/guard-hook.cjs', 'mcp'], {
      cwd: at.root,
      env: { ...at.env },
      input: `${JSON.stringify(hello)}\n`,
      encoding: 'utf8',
      timeout: 20_000,
    });
    expect(JSON.parse(told.stdout)).toMatchObject({ id: 1, result: { serverInfo: { name: 'guard' } } });
  });

  it('says which form other clients start, and for whom they speak then', async () => {
    const at = scratch({ init: null, fresh: true });
    const [, form = ''] = /give that client: (\{.*\})$/m.exec(at.guard('init', '--mcp').stderr) ?? [];
    const { command, args } = JSON.parse(form) as { command: string; args: string[] };
    const named = args.map((word) => (word === 'NAME' ? 'codex-1' : word));
    const client = new Client({ name: 'other', version: '1' });
    await client.connect(new StdioClientTransport({ command, args: named, cwd: at.root, env: at.env }));
    onTestFinished(() => client.close());
    await client.callTool({ name: 'lock_try', arguments: { filepaths: ['a.ts'] } });
    expect(at.guard('lock', 'status', 'a.ts', '--json').json()).toMatchObject({
      results: [{ holder: 'codex-1' }],
    });
  });

  it('leaves the servers of others byte for byte, and uninstall puts the file back', () => {
    const before = '{\n\t"mcpServers": {\n\t\t"files": { "command": "files" }\n\t}\n}\n';
    const at = scratch({ init: null, fresh: true });
    at.put('.mcp.json', before);
    expect(at.guard('init', '--mcp').exit).toBe(0);
    expect(Object.keys(servers(at))).toEqual(['files', 'guard']);
    expect(at.guard('uninstall').exit).toBe(0);
    expect(at.read('.mcp.json')).toBe(before);
  });

  it('removes only its own entry from a file that was changed since', () => {
    const at = scratch({ init: ['--mcp'], fresh: true });
    const changed = { mcpServers: { ...servers(at), more: { command: 'more' } } };
    at.put('.mcp.json', JSON.stringify(changed, null, 2));
    expect(at.guard('uninstall').exit).toBe(0);
    expect(Object.keys(servers(at))).toEqual(['more']);
  });

  it('removes a file that it made', () => {
    const at = scratch({ init: ['--mcp'], fresh: true });
    expect(at.guard('uninstall').exit).toBe(0);
    expect(fs.existsSync(at.path('.mcp.json'))).toBe(false);
  });

  it("refuses where the key is another program's", () => {
    const at = scratch({ init: null, fresh: true });
    at.put('.mcp.json', '{"mcpServers":{"guard":{"command":"other"}}}');
    const told = at.guard('init', '--mcp');
    expect([told.exit, told.stderr]).toEqual([2, expect.stringContaining('another server under the key')]);
    expect(fs.existsSync(at.path('.claude/settings.json'))).toBe(false);
  });

  it('says for a scope of its own which command registers the server', () => {
    const at = scratch({ init: null, fresh: true });
    const told = at.guard('init', '--mcp', '--scope', 'local');
    expect(told.stderr).toMatch(/claude mcp add --scope local guard -- node .*guard\.cjs mcp/);
    expect(fs.existsSync(at.path('.mcp.json'))).toBe(false);
  });
});
