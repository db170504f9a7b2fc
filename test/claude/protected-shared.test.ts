/** PROTECTED_PATH for files of the client, git and other hosts, and for guard's part of shared files. */
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { oneAgent, PACKAGE, type Scratch, Session, wrongs } from './driver.ts';
import { preHere } from './driver/in-process.ts';

function guarded(config = {}) {
  const { at, agent } = oneAgent({ files: { 'a.txt': 'x' }, config });
  const write = (file: string, content = 'x', tool = 'Write') =>
    wrongs(
      preHere(agent, agent.call(tool, { file_path: file.startsWith('~') ? file : at.path(file), content })),
    );
  const edit = (file: string, old_string: string, new_string: string) =>
    wrongs(preHere(agent, agent.call('Edit', { file_path: at.path(file), old_string, new_string })));
  return { at, agent, write, edit };
}

describe('nobody but their owner writes', () => {
  const linked: readonly [string, string][] = [
    ['hooks-link', '.git/hooks'],
    ['config-link', '.git/config'],
    ['managed-link', '/etc/claude-code'],
  ];
  const files: readonly (string | ((at: Scratch) => string))[] = [
    '/etc/claude-code/managed-settings.json',
    '/etc/claude-code/managed-settings.d/10-x.json',
    '/etc/claude-code/CLAUDE.md',
    '/Library/Application Support/ClaudeCode/managed-settings.json',
    ({ home }) => `${home}/.claude/plugins/installed_plugins.json`,
    ({ home }) => `${home}/.claude/plugins/known_marketplaces.json`,
    ({ home }) => `${home}/.claude.json`,
    ({ home }) => `${home}/.claude/.config.json`,
    '~/.claude.json',
    '.git/config',
    '.git/config.worktree',
    '.git/hooks/pre-commit',
    '.git/hooks/deeper/x',
    '.git/commondir',
    '.git/gitdir',
    '.git/HEAD',
    '.git/index',
    '.git/packed-refs',
    '.git/refs/heads/main',
    '.git/objects/info/alternates',
    '.git/objects/pack/x.pack',
    '.git/worktrees/one/gitdir',
    '.git/worktrees/one/commondir',
    '.git/worktrees/one/HEAD',
    '.git/modules/lib/config',
    '.git/modules/deep/er/hooks/post-checkout',
    'vendor/lib/.git/config',
    '.GIT/Config',
    'src/../.git//./config',
    '.claude/settings.json.guard-backup',
    ({ home }) => `${home}/.claude/settings.json.guard-backup`,
    'hooks-link/pre-commit',
    'config-link',
    'managed-link/managed-settings.json',
  ];

  it.each(['Write', 'mcp__fs__write_file'])('by %s', (tool) => {
    const { at, write } = guarded({ mcp: { writers: [{ tool: 'mcp__fs__*', paths: ['file_path'] }] } });
    for (const [name, to] of linked) fs.symlinkSync(to, at.path(name));
    const passed = files
      .map((file) => (typeof file === 'string' ? file : file(at)))
      .filter((file) => write(file, 'x', tool)[0] !== 'PROTECTED_PATH');
    expect(passed).toEqual([]);
  });

  it('where CLAUDE_CONFIG_DIR puts them', () => {
    const { at, agent } = guarded();
    const env = { CLAUDE_CONFIG_DIR: join(at.home, 'elsewhere') };
    const moved = new Session(at, { id: agent.id, pid: agent.pid, env });
    for (const name of ['plugins/installed_plugins.json', '.claude.json', '.config.json', 'settings.json']) {
      const call = agent.call('Write', { file_path: join(at.home, 'elsewhere', name), content: 'x' });
      expect([name, wrongs(preHere(moved, call))[0]]).toEqual([name, 'PROTECTED_PATH']);
    }
  });

  it('in a git directory of another name', () => {
    const { at, agent } = oneAgent({ init: null });
    fs.renameSync(at.path('.git'), join(at.home, 'store'));
    at.put('.git', `gitdir: ${join(at.home, 'store')}\n`);
    expect(at.guard('init').exit).toBe(0);
    const call = agent.call('Write', { file_path: join(at.home, 'store/hooks/pre-push'), content: 'x' });
    expect(wrongs(preHere(agent, call))).toContain('PROTECTED_PATH');
  });
});

const LAUNCHER = 'node "${CLAUDE_PROJECT_DIR:-.}/.claude/guard-hook.cjs"';
const OURS = { type: 'command', command: `${LAUNCHER} || exit 2`, timeout: 60 };
const OTHER = { type: 'command', command: 'lint' };
const json = (value: unknown): string => JSON.stringify(value, null, 2);
const hooks = (...list: object[]) => ({
  version: 1,
  hooks: { preToolUse: [{ matcher: 'edit', hooks: list }] },
});
const HOSTS = [
  '.codex/hooks.json',
  '.gemini/settings.json',
  '.qwen/settings.json',
  '.cursor/hooks.json',
  '.github/hooks/guard.json',
];

describe("of a file that hooks guard into another host, guard's entry stays", () => {
  it.each(HOSTS)('%s', (file) => {
    const { at, write, edit } = guarded();
    at.put(file, json(hooks(OURS, OTHER)));
    const removed = [
      hooks(OTHER),
      {},
      hooks({ ...OURS, timeout: 1 }),
      { hooks: { preToolUse: [{ matcher: 'never', hooks: [OURS] }] } },
      { hooks: { stop: [{ matcher: 'edit', hooks: [OURS] }] } },
    ].map((value) => write(file, json(value))[0]);
    expect([...removed, write(file, 'no json')[0], edit(file, '"edit"', '"x"')[0]]).toEqual(
      Array<string>(7).fill('PROTECTED_PATH'),
    );
    const kept = [
      hooks(OURS),
      hooks({ type: 'command', command: 'more' }, OURS),
      { ...hooks(OURS), theme: 1 },
    ];
    const types = [...kept.flatMap((value) => write(file, json(value))), ...edit(file, '"lint"', '"lint2"')];
    expect(types).not.toContain('PROTECTED_PATH');
  });

  it('.codex/config.toml', () => {
    const { at, write, edit } = guarded();
    const ours =
      '[[hooks.PreToolUse]]\nmatcher = "edit"\n[[hooks.PreToolUse.hooks]]\ncommand = "guard hook"\n';
    const theirs = '[mcp_servers.db]\ncommand = "db"\n';
    const file = '.codex/config.toml';
    at.put(file, `model = "o3"\n${ours}${theirs}`);
    expect(write(file, theirs)).toContain('PROTECTED_PATH');
    expect(edit(file, 'matcher = "edit"', 'matcher = "never"')).toContain('PROTECTED_PATH');
    expect(edit(file, '"guard hook"', '"true"')).toContain('PROTECTED_PATH');
    expect(edit(file, 'command = "db"', 'command = "db2"')).not.toContain('PROTECTED_PATH');
    expect(write(file, `model = "o4"\n\n# mine\n${ours}`)).not.toContain('PROTECTED_PATH');
  });

  it('.opencode/plugin/guard.ts', () => {
    const { at, edit } = guarded();
    at.put('.opencode/plugin/guard.ts', 'export const G = ({ $ }) => ({ run: () => $`guard hook` });\n');
    expect(edit('.opencode/plugin/guard.ts', 'run', 'walk')).toContain('PROTECTED_PATH');
  });
});

describe('.mcp.json', () => {
  const OWN = { command: 'node', args: ['${CLAUDE_PROJECT_DIR:-.}/.claude/guard-hook.cjs', 'mcp'] };
  const DB = { command: 'db', env: { A: '1' } };
  const servers = (mcpServers: object) => json({ mcpServers });

  it("loses guard's server by no edit, whatever the key", () => {
    const { at, write, edit } = guarded();
    at.put('.mcp.json', servers({ guard: OWN, db: DB }));
    const texts = [
      servers({ db: DB }),
      servers({ guard: { command: 'sh' }, db: DB }),
      servers({ guard: { ...OWN, env: { GUARD_X: '1' } }, db: DB }),
      servers({ locks: OWN, db: DB }),
      '{}',
      '',
      'no json',
    ];
    expect(texts.map((text) => write('.mcp.json', text)[0])).toEqual(texts.map(() => 'PROTECTED_PATH'));
    expect(edit('.mcp.json', 'guard-hook.cjs', 'x.cjs')).toContain('PROTECTED_PATH');
    expect(edit('.mcp.json', 'not in it', 'x')).toContain('PROTECTED_PATH');
  });

  it('what an MCP tool puts behind it would make it no JSON', () => {
    const { at, agent } = guarded({ mcp: { writers: [{ tool: 'mcp__fs__*', paths: ['file_path'] }] } });
    at.put('.mcp.json', servers({ guard: OWN, db: DB }));
    const content = servers({ guard: OWN });
    const put = (more: object) =>
      wrongs(
        agent.pre(agent.call('mcp__fs__write_file', { file_path: at.path('.mcp.json'), content, ...more })),
      );
    expect(put({ mode: 'append' })).toContain('PROTECTED_PATH');
    expect(put({})).not.toContain('PROTECTED_PATH');
  });

  it('may gain, change and lose other servers', () => {
    const { at, write, edit } = guarded();
    at.put('.mcp.json', servers({ guard: OWN, db: DB }));
    const texts = [servers({ guard: OWN }), servers({ a: DB, guard: OWN, db: { command: 'x' } })];
    expect(texts.flatMap((text) => write('.mcp.json', text))).not.toContain('PROTECTED_PATH');
    expect(edit('.mcp.json', '"A": "1"', '"A": "2"')).not.toContain('PROTECTED_PATH');
  });

  it('as guard init --mcp writes it', () => {
    const { at, edit } = guarded();
    expect(at.guard('init', '--mcp').exit).toBe(0);
    expect(edit('.mcp.json', '"mcp"', '"off"')).toContain('PROTECTED_PATH');
    expect(fs.existsSync(join(PACKAGE, 'dist/hook.cjs'))).toBe(true);
  });
});
