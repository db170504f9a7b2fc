/** `guard worktree add NAME`: the same as the client's hook, for people and for agents at a shell. */
import type { Command } from 'commander';
import { addWorktree } from '../../worktrees/add.ts';
import { act } from '../act.ts';
import { callerOf } from '../caller.ts';
import { EXIT } from '../exit.ts';
import type { Shell } from '../shell.ts';
import { withWorkspace } from '../workspace.ts';

interface AddOptions {
  readonly agent?: string;
  readonly json?: true;
}

const LIMIT_MS = 600_000;

export function define(command: Command, shell: Shell): void {
  const add = command
    .command('add')
    .description('create it, or reuse the one with that name, and print its path')
    .argument('<name>', 'its directory is .claude/worktrees/NAME, its branch worktree-NAME')
    .option('--agent <id>', 'the agent that queues for it')
    .option('--json', 'print the result as JSON');
  act<AddOptions>(add, shell, ({ args: [name = ''], options }) => {
    const { cwd, env } = shell;
    return withWorkspace(shell, (space) => {
      const who = callerOf(space, options.agent);
      const wish = { name, cwd, repo: space.repo, env, proc: null, limit_ms: LIMIT_MS };
      const made = addWorktree({ ...wish, space: { ...space, who } });
      if (options.json === true) shell.json({ path: made.path, branch: made.branch });
      else shell.out(`${made.path}\n`);
      return EXIT.yes;
    });
  });
}
