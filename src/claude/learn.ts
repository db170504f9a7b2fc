// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** What an agent was shown of a file becomes its knowledge of it, whichever tool showed it. */
import { pathKey } from '../core/keys.ts';
import { changedSinceJoin } from '../core/rules/changed-since.ts';
import { afterRead, type ShownPart } from '../core/rules/knowledge.ts';
import { asPathState } from '../core/states.ts';
import type { Target } from '../repo/canonical.ts';
import { digestFile, type DiskFact } from '../repo/digest.ts';
import { alone } from '../store/upkeep.ts';
import { homeLife, type Located, turnOf } from './events/targets.ts';
import { keep } from './kept.ts';
import type { HookSpace, Hook } from './context.ts';

/** Null for a file whose text no tool shows. */
export function readable(hook: Hook, { target }: Located): DiskFact | null {
  if (target.kind === 'directory' || target.kind === 'special') return null;
  return digestFile(target.real, { deadline: hook.deadline, want_bytes: true });
}

/** @param disk the content that was compared with what was shown */
export function learn(hook: Hook, { target, space }: Located, disk: DiskFact, shown: ShownPart): void {
  keep(hook, space, target, disk);
  const turn = turnOf(hook);
  const isOld =
    shown.verdict !== 'part' ||
    space.baselines.read(target.path) !== null ||
    isOlderThanAgent(hook, space, target, disk);
  const add = (): void => {
    const old = space.baselines.read(target.path);
    space.baselines.write(
      target.path,
      afterRead(old, turn, shown, { digest: disk.digest, is_old: isOld || old !== null }),
    );
  };
  // Parts that are read in parallel add up: each must see what the others recorded.
  if (shown.verdict === 'part') alone(space.state_dir, add, space.config.deadline_ms / 2);
  else add();
}

function isOlderThanAgent(hook: Hook, space: HookSpace, { path }: Target, disk: DiskFact): boolean {
  const agent = hook.home.agent();
  if (agent === undefined) return false;
  const joined_lsn = homeLife(hook, space) === null ? agent.joined_lsn : null;
  const state = asPathState(space.cache.get([pathKey(path)])(pathKey(path)));
  return !changedSinceJoin({ ...agent, joined_lsn }, state, disk);
}
