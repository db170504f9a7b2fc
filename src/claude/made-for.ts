// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Whether the client made a checkout for one agent: `claude --worktree`, `isolation: "worktree"`, a drafted agent. */
import { basename } from 'node:path';
import type { OwnWorktree } from '../core/rules/own-worktree.ts';
import { locateRepo, type Repo } from '../repo/locate.ts';
import type { HookSpace, Hook } from './context.ts';

/** Where clients and `guard agent draft` create worktrees; one that a person created elsewhere belongs to the person too. */
const MADE = /[\\/]\.claude[\\/]worktrees[\\/][^\\/]+$/;

/** Undefined for every other checkout. */
export function worktreeMadeFor(hook: Hook, { repo }: Pick<HookSpace, 'repo'>): OwnWorktree | undefined {
  const { root, worktree } = repo;
  if (worktree === null || !MADE.test(root)) return undefined;
  const is_named = isNamedAfter(hook, repo);
  return is_named || root === hook.home.repo.root ? { id: worktree, is_named } : undefined;
}

const isNamedAfter = ({ input }: Hook, { root }: Repo): boolean =>
  input.agent !== null && input.host === 'claude' && basename(root) === `agent-${input.agent}`;

/** Records that a session or a subagent starts; true if it starts alone in its own worktree. */
export function noteWorktree(hook: Hook): boolean {
  const { home, who, input, env } = hook;
  const repo = locateRepo(input.cwd, env);
  if (repo.worktree === null || repo.state_dir !== home.state_dir) return false;
  const is_alone = home.run({ type: 'worktree.enter', who, worktree: repo.worktree });
  return is_alone && worktreeMadeFor(hook, { repo }) !== undefined;
}
