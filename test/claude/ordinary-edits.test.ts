/** Files next to the protected ones, which an agent may write like any other file. */
import { describe, expect, it } from 'vitest';
import { oneAgent, scratch, Session, wrongs } from './driver.ts';
import { preHere } from './driver/in-process.ts';

const SERVER = JSON.stringify({ mcpServers: { db: { command: 'npx', args: ['db-server', '--hook'] } } });
const HOOKS = JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }] } });

/** A path, and its content before. */
const FILES: readonly (string | readonly [string, string])[] = [
  '.gitignore',
  '.gitattributes',
  '.gitmodules',
  '.gitkeep',
  '.git-blame-ignore-revs',
  '.gitlab-ci.yml',
  '.gitpod.yml',
  '.github/workflows/ci.yml',
  '.github/dependabot.yml',
  '.github/CODEOWNERS',
  '.github/copilot-instructions.md',
  '.github/hooks/README.md',
  ['.github/hooks/lint.json', HOOKS],
  'src/.git-keep',
  'src/.gitignore',
  'src/git/config',
  'src/git/hooks/pre-commit',
  'git-hooks/pre-commit',
  'githooks/commit-msg',
  '.githooks/pre-push',
  '.husky/pre-commit',
  '.husky/_/husky.sh',
  'lefthook.yml',
  '.pre-commit-config.yaml',
  'test/fixtures/repo.git/config',
  'test/fixtures/repo.git/hooks/update',
  'test/fixtures/dot-git/config',
  '.git/info/exclude',
  '.git/info/attributes',
  '.git/info/sparse-checkout',
  '.git/COMMIT_EDITMSG',
  '.git/MERGE_MSG',
  '.git/rebase-merge/git-rebase-todo',
  '.git/description',
  '.git/config.txt',
  '.mcp.json',
  ['.mcp.json', SERVER],
  ['packages/app/.mcp.json', SERVER],
  'mcp.json',
  '.vscode/mcp.json',
  '.vscode/settings.json',
  '.claude/CLAUDE.md',
  '.claude/commands/deploy.md',
  '.claude/agents/reviewer.md',
  '.claude/skills/x/SKILL.md',
  '.claude/hooks/format.sh',
  '.claude/plugins/known_marketplaces.json',
  '.claude.json',
  '.claude-plugin/marketplace.json',
  'dotfiles/.claude.json',
  'dotfiles/claude/settings.json',
  '.codex/config.toml',
  ['.codex/config.toml', 'model = "o3"\n[mcp_servers.db]\ncommand = "db"\n'],
  ['.codex/hooks.json', HOOKS],
  '.codex/prompts/review.md',
  ['.gemini/settings.json', '{ // mine\n "theme": "x" }'],
  '.qwen/settings.json',
  '.cursor/rules/style.mdc',
  ['.cursor/hooks.json', HOOKS],
  ['.opencode/plugin/auth-guard.ts', 'export const AuthGuard = () => ({ hook: true });'],
  '.opencode/plugins/notify.js',
  'opencode.json',
  'docs/hooks.json',
  'docs/hooks.md',
  'hooks/hooks.json',
  'hooks/useThing.ts',
  'src/guards/auth.guard.ts',
  'src/guard/index.ts',
  'config/settings.json',
  'settings.json',
  'src/index',
  'src/HEAD',
  'refs/heads.md',
  'src/objects/info/alternates',
  'worktrees/readme.md',
  'bin/tool.mjs',
  'dist/out.js',
  'package.json',
  'node_modules/left-pad/index.js',
  'etc/claude-code/managed-settings.json',
  'infra/etc/claude-code/managed-settings.json',
  'notes.backup',
  'settings.json.bak',
  'proc/self/cwd',
  'dev/stdin',
];

describe('an ordinary file', () => {
  const cases = FILES.map((file) => (typeof file === 'string' ? ([file, null] as const) : file));

  it('there are more than 60 of them', () => {
    expect(cases.length).toBeGreaterThan(60);
  });

  it('is not protected: only a lock is missing, and one reading where the file exists', () => {
    const { at, agent } = oneAgent();
    const found = cases.map(([file, before]) => {
      if (before !== null) at.put(file, before);
      const call = agent.call('Write', { file_path: at.path(file), content: '{}' });
      return [
        file,
        wrongs(preHere(agent, call)).filter((type) => !/^(?:NOT_LOCKED|UNREAD_FILE)$/.test(type)),
      ];
    });
    expect(found.filter(([, types]) => types?.length !== 0)).toEqual([]);
  });

  it('nor outside of every repository', () => {
    const at = scratch();
    const agent = new Session(at, { cwd: at.home });
    const files = ['.gitconfig', '.config/git/config', '.bashrc', '.claude/CLAUDE.md', '.codex/config.toml'];
    const types = files.map((file) => {
      const call = agent.call('Write', { file_path: `${at.home}/${file}`, content: 'x' });
      return wrongs(preHere(agent, call));
    });
    expect(types.flat()).toEqual([]);
  });
});
