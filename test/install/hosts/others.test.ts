/** `guard init --host` for clients other than Codex: what it writes to their files, and that it is removable. */
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { scratch, type Scratch } from '../../claude/driver.ts';

const FILES = {
  gemini: '.gemini/settings.json',
  qwen: '.qwen/settings.json',
  copilot: '.github/hooks/guard.json',
  opencode: '.opencode/plugin/guard.js',
} as const;

const HOSTS = Object.entries(FILES);

describe.each(HOSTS)('setting %s up', (host, file) => {
  it('writes its hooks, finds nothing to do the second time, and leaves nothing behind', () => {
    const at = scratch({ init: null });
    expect(at.guard('init', '--host', host).exit).toBe(0);
    expect(at.read(file)).toContain('.claude/guard-hook.cjs');
    expect(at.guard('init', '--host', host, '--json').json()).toMatchObject({ changed: false });
    expect(at.guard('uninstall').exit).toBe(0);
    expect(fs.readdirSync(at.root)).toEqual(['.git']);
  });

  it('refuses what is not its own at that place', () => {
    const at = scratch({ init: null });
    at.put(file, '// theirs\n');
    const told = at.guard('init', '--host', host);
    expect([told.exit === 0, told.stderr]).toEqual([false, expect.stringContaining('GUARD_ERR_SETTINGS')]);
    expect(at.read(file)).toBe('// theirs\n');
  });
});

describe('hooks in settings of others', () => {
  it.each(['gemini', 'qwen'] as const)(
    'of %s stand beside what is there, with a timeout in milliseconds',
    (host) => {
      const at = scratch({ init: null });
      const own =
        '{\n  "theme": "x",\n  "hooks": { "SessionStart": [{ "hooks": [{ "type": "command", "command": "true" }] }] }\n}\n';
      at.put(FILES[host], own);
      at.guard('init', '--host', host);
      const { theme, hooks } = JSON.parse(at.read(FILES[host])) as {
        theme: string;
        hooks: Record<string, { matcher?: string; hooks: { command: string; timeout?: number }[] }[]>;
      };
      expect([theme, hooks['SessionStart']?.[0]?.hooks[0]?.command]).toEqual(['x', 'true']);
      const before = hooks[host === 'gemini' ? 'BeforeTool' : 'PreToolUse'] ?? [];
      expect(before.map(({ hooks: [entry] }) => [entry?.timeout, entry?.command.includes('exit 2')])).toEqual(
        [
          [60_000, true],
          [60_000, false],
        ],
      );
      expect(at.guard('uninstall').exit).toBe(0);
      expect(at.read(FILES[host])).toBe(own);
    },
  );

  it('with a byte order mark are seen as they are', () => {
    const at = scratch({ init: null });
    const own = '\uFEFF{ "theme": "x" }\n';
    at.put(FILES.gemini, own);
    at.guard('init', '--host', 'gemini');
    const told = at.guard('doctor', '--json').json() as { results: { id: string; status: string }[] };
    expect(told.results.find(({ id }) => id === 'hosts')?.status).toBe('ok');
    expect(at.guard('uninstall').exit).toBe(0);
    expect(at.read(FILES.gemini)).toBe(own);
  });

  it('of two clients at once share the launcher', () => {
    const at = scratch({ init: null });
    at.guard('init', '--host', 'gemini');
    at.guard('init', '--host', 'copilot');
    const told = at.guard('doctor', '--json').json() as {
      results: { id: string; facts: { hosts?: string[] } }[];
    };
    const found = told.results.find(({ id }) => id === 'hosts');
    expect(found?.facts.hosts).toEqual(['Gemini CLI (project)', 'Copilot CLI (project)']);
    expect(at.guard('uninstall').exit).toBe(0);
    expect(fs.readdirSync(at.root)).toEqual(['.git']);
  });
});

interface Plugin {
  readonly 'tool.execute.before': (input: object, output: object) => Promise<void>;
  readonly 'tool.execute.after': (input: object, output: { output: string }) => Promise<void>;
  readonly 'shell.env': (input: object, output: { env: Record<string, string> }) => Promise<void>;
  readonly event: (told: object) => Promise<void>;
}

/** Loads the plugin from where the client would, with the client's home. */
async function loaded(at: Scratch): Promise<Plugin> {
  for (const [name, value] of Object.entries(at.env)) vi.stubEnv(name, value);
  const module = at.put('.opencode/plugin/guard.mjs', at.read(FILES.opencode));
  const { Guard } = (await import(pathToFileURL(module).href)) as { Guard: (of: object) => Promise<Plugin> };
  return Guard({ directory: at.root });
}

describe('the plugin for opencode', () => {
  afterEach(() => void vi.unstubAllEnvs());
  const write = (at: Scratch) => ({ args: { filePath: at.path('new.txt'), content: 'x' } });
  const call = (tool: string) => ({ tool, sessionID: 'ses_1', callID: 'c1' });

  it('throws the denial as it is, and lets what is no write go on', async () => {
    const at = scratch({ init: null });
    at.guard('init', '--host', 'opencode');
    const plugin = await loaded(at);
    await expect(plugin['tool.execute.before'](call('write'), write(at))).rejects.toThrow(
      /"error_type":"NOT_LOCKED"/,
    );
    await plugin['tool.execute.before'](call('webfetch'), { args: {} });
    await plugin['tool.execute.before'](call('bash'), { args: { command: 'true' } });
  });

  it('refuses writes where the launcher is gone, and says to the shell of a subagent whose it is', async () => {
    const at = scratch({ init: null });
    at.guard('init', '--host', 'opencode');
    const plugin = await loaded(at);
    const info = { id: 'ses_2', parentID: 'ses_1' };
    await plugin.event({ event: { type: 'session.created', properties: { sessionID: 'ses_2', info } } });
    const shell = { env: {} as Record<string, string> };
    await plugin['shell.env']({ sessionID: 'ses_2' }, shell);
    expect(shell.env['GUARD_AGENT_ID']).toBe('opencode-ses_1/ses_2');
    fs.rmSync(at.path('.claude/guard-hook.cjs'));
    await expect(plugin['tool.execute.before'](call('write'), write(at))).rejects.toThrow(/guard/);
    await plugin['tool.execute.before'](call('bash'), { args: { command: 'true' } });
  });
});
