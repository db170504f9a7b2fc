/** Servers and clients next to guard that it does not check are named by doctor, by init and at session start. */
import { describe, expect, it } from 'vitest';
import { oneAgent, scratch, type Scratch } from '../claude/driver.ts';

interface Result {
  readonly id: string;
  readonly status: string;
  readonly message: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

const doctor = (at: Scratch, id: string): Result | undefined =>
  (at.guard('doctor', '--json').json() as { results: Result[] }).results.find((result) => result.id === id);

const server = { command: 'npx', args: ['x'] };

describe('MCP servers', () => {
  it('that guard does not judge are named by doctor and init, from the project’s and the user’s own files', () => {
    const at = scratch();
    at.put('.mcp.json', JSON.stringify({ mcpServers: { filesystem: server, 'my db': server, lab: server } }));
    at.put(
      'guard.config.json',
      JSON.stringify({ mcp: { writers: [{ tool: 'mcp__lab__put', paths: ['p'] }] } }),
    );
    const own = {
      mcpServers: { slack: server },
      projects: { [at.root]: { mcpServers: { linear: server } } },
    };
    at.put(`${at.home}/.claude.json`, JSON.stringify(own));
    const told = doctor(at, 'mcp_servers');
    expect([told?.status, told?.facts['not_judged']]).toEqual(['ok', ['linear', 'my db', 'slack']]);
    const { notes } = at.guard('init', '--json').json() as { notes: string[] };
    expect(notes.filter((note) => note.includes('linear, my db, slack'))).toHaveLength(1);
  });

  it('are looked for in the home directory too where CLAUDE_CONFIG_DIR is empty, as the client does', () => {
    const at = scratch();
    at.put(`${at.home}/.claude.json`, JSON.stringify({ mcpServers: { slack: server } }));
    const told = at.guardWith({ CLAUDE_CONFIG_DIR: '' }, 'doctor', '--json').json() as { results: Result[] };
    expect(told.results.find(({ id }) => id === 'mcp_servers')?.facts['not_judged']).toEqual(['slack']);
  });

  it('are not spoken of where there are none', () => {
    const at = scratch();
    expect(doctor(at, 'mcp_servers')).toMatchObject({ status: 'ok', facts: { not_judged: [] } });
    const { notes } = at.guard('init', '--json').json() as { notes: string[] };
    expect(notes.filter((note) => note.includes('MCP'))).toEqual([]);
  });
});

describe('other clients that are configured without guard', () => {
  const setup = { files: { '.codex/config.toml': '', '.gemini/settings.json': '{}', 'opencode.json': '{}' } };

  it('are named by doctor, by init and at the start of a session', () => {
    const { at, agent } = oneAgent(setup);
    const hosts = ['Codex (.codex)', 'Gemini CLI (.gemini)', 'opencode (opencode.json)'];
    expect(doctor(at, 'other_hosts')).toMatchObject({ status: 'warn', facts: { hosts } });
    expect(agent.start().context).toContain(hosts.join(', '));
    const { notes } = at.guard('init', '--json').json() as { notes: string[] };
    expect(notes.filter((note) => note.includes(hosts.join(', ')))).toHaveLength(1);
  });

  it('are not named where they run guard’s hook, or are not there', () => {
    const hooks = '{"hooks":{"PreToolUse":[{"hooks":[{"command":"node .claude/guard-hook.cjs"}]}]}}';
    const { at, agent } = oneAgent({ files: { '.codex/hooks.json': hooks, '.github/workflows/ci.yml': '' } });
    expect(doctor(at, 'other_hosts')?.status).toBe('ok');
    expect(agent.start().context).not.toContain('without guard');
  });
});
