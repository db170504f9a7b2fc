/** `guard git-hook pre-commit`: git starts it before a commit (install/git-hook/script.ts). Says `refused` on standard output. */
import { relative } from 'node:path';
import type { Command } from 'commander';
import { refusedCommit } from '../../core/commit-words.ts';
import { rfc3339 } from '../../core/rfc3339.ts';
import { ownCommit } from '../../git/own-commit.ts';
import { checkoutOf } from '../../git/place.ts';
import type { Committing } from '../../git/staged.ts';
import { guardCommand } from '../../install/guard-command.ts';
import { readOff } from '../../install/off.ts';
import type { Off } from '../../core/policy/pause.ts';
import { readPause } from '../../install/user-pause.ts';
import { readNow } from '../../repo/clock.ts';
import { isBelieved } from '../../repo/known/belief.ts';
import { locateRepo, type Repo } from '../../repo/locate.ts';
import { act } from '../act.ts';
import { isInClaude } from '../agent-id.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { type CommitVerdict, judgeCommit } from '../git-hook/pre-commit.ts';
import { withWorkspace } from '../workspace.ts';
import type { Shell } from '../shell.ts';

export function define(command: Command, shell: Shell): void {
  const preCommit = command.command('pre-commit').description('whether this commit takes files of others');
  act(preCommit, shell, () => checkCommit(shell));
}

async function checkCommit(shell: Shell): Promise<ExitCode> {
  const at = checkoutOf({ cwd: shell.cwd, git_dir: null, work_tree: null }, shell.env);
  const repo = at === null ? null : locateRepo(at.root, shell.env);
  if (at === null || repo?.initialised !== true) {
    shell.err('guard: this repository is not set up for guard, so this commit was not checked.\n');
    return EXIT.yes;
  }
  const off = offIn(repo, shell);
  if (off !== null) {
    shell.err(`guard: off until ${rfc3339(off.until_wall_ms)}, so this commit was not checked.\n`);
    return EXIT.yes;
  }
  const committing: Committing = { root: at.root, git_dir: at.git_dir, env: shell.env };
  const there = { ...shell, cwd: at.root };
  const verdict = await withWorkspace(there, (space) => judgeCommit(space, committing, shell));
  return verdict === null ? EXIT.yes : refuse(verdict, repo, shell);
}

function offIn(repo: Repo, { env }: Shell): Off | null {
  const now = readNow();
  return isBelieved(repo, env) ? readOff(repo.state_dir, now) : readPause(repo, env, now);
}

function refuse({ kept, mine, is_joining, is_agent }: CommitVerdict, repo: Repo, shell: Shell): ExitCode {
  const theirs = kept.map(({ name }) => name);
  const prefix = shell.env['GIT_PREFIX'] ?? '';
  const lines = refusedCommit({
    kept: kept.map((one) => ({ ...one, typed: relative(prefix, one.name) })),
    own: is_joining ? null : ownCommit({ mine, theirs, prefix }),
    is_joining,
    is_agent: is_agent || isInClaude(shell.env),
    guard: guardCommand(repo),
  });
  shell.err(`${lines.join('\n')}\n`);
  shell.out('refused');
  return EXIT.no;
}
