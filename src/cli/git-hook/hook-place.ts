/** The checkout in which git runs a hook, and whether guard checks anything there. */
import type { Off } from '../../core/policy/pause.ts';
import { checkoutOf, type GitCheckout } from '../../git/place.ts';
import { readOff } from '../../install/off.ts';
import { readPause } from '../../install/user-pause.ts';
import { readNow } from '../../repo/clock.ts';
import { isBelieved } from '../../repo/known/belief.ts';
import { locateRepo, type Repo } from '../../repo/locate.ts';
import type { Shell } from '../shell.ts';

export type NotChecked =
  { readonly state: 'not_set_up' } | { readonly state: 'off'; readonly until_wall_ms: number };

export type HookPlace =
  NotChecked | { readonly state: 'here'; readonly at: GitCheckout; readonly repo: Repo };

export function hookPlace(shell: Shell): HookPlace {
  const at = checkoutOf({ cwd: shell.cwd, git_dir: null, work_tree: null }, shell.env);
  const repo = at === null ? null : locateRepo(at.root, shell.env);
  if (at === null || repo?.initialised !== true) return { state: 'not_set_up' };
  const off = offIn(repo, shell);
  return off === null ? { state: 'here', at, repo } : { state: 'off', until_wall_ms: off.until_wall_ms };
}

function offIn(repo: Repo, { env }: Shell): Off | null {
  const now = readNow();
  return isBelieved(repo, env) ? readOff(repo.state_dir, now) : readPause(repo, env, now);
}
