/** Stash entries and branches: who made them, and who works where they are checked out. */
import { askGit } from './ask-git.ts';
import {
  commitsOfOthers,
  movedAlone,
  movedUnder,
  stashOfOthers,
  type TakenEntry,
} from '../../core/git-words.ts';
import { gitName } from '../../core/git-names.ts';
import type { RepoPath } from '../../core/types.ts';
import type { RefMove, StashTaken } from '../../git/act.ts';
import type { Foreseen } from '../../git/forecast.ts';
import { currentBranch, gitWorktrees } from '../../git/heads.ts';
import { ownersIn } from '../../git/owners.ts';
import { stackOf } from '../../git/stack.ts';
import type { HookSpace, Hook } from '../context.ts';
import { othersFiles } from './git-others.ts';
import {
  agentsIn,
  inLedger,
  isAtWork,
  judgeLeft,
  judgeRunning,
  type RefObjections,
  NO_OBJECTION,
} from './git-worktrees.ts';

/** The things that a repository has only once, by their names in the ledger. */
export const resourcesOf = (space: HookSpace, { touch, at }: Foreseen): readonly RepoPath[] =>
  (touch.resources ?? []).map((name) => gitName(name, inLedger(space, at.worktree)));

export function judgeNames(hook: Hook, space: HookSpace, one: Foreseen): RefObjections {
  const { stash, refs = [], leaves } = one.touch;
  const parts = [
    ...(stash === undefined ? [] : [judgeStash(hook, space, one, stash)]),
    ...refs.map((move) => judgeRef(hook, space, one, move)),
    ...(leaves === undefined ? [] : [judgeLeft(hook, space, one, leaves)]),
    judgeRunning(space, one),
  ];
  return {
    objections: parts.flatMap(({ objections }) => objections),
    told: parts.flatMap(({ told }) => told),
  };
}

function judgeStash(
  hook: Hook,
  space: HookSpace,
  { call, at }: Foreseen,
  { verb, index }: StashTaken,
): RefObjections {
  const stack = stackOf(at.common_dir).map((entry, nth) => ({ ...entry, entry: `stash@{${String(nth)}}` }));
  const taken = index === null ? stack : stack.slice(index, index + 1);
  if (taken.length === 0) return NO_OBJECTION;
  const owners = ownersIn(space.state_dir);
  const me = hook.who.id;
  const foreign = taken.flatMap((entry): readonly TakenEntry[] => {
    const owner = owners.get(entry.id) ?? null;
    return owner === null || owner === me || !isAtWork(space, owner) ? [] : [{ ...entry, owner }];
  });
  if (foreign.length > 0) {
    const own = stack.find(({ id }) => owners.get(id) === me)?.entry ?? null;
    return { objections: [stashOfOthers(call.source, verb, foreign, own)], told: [] };
  }
  const mine = currentBranch(at.git_dir)?.replace(/^heads\//, '') ?? null;
  const strange = taken.find(({ id, branch }) => owners.get(id) !== me && branch !== null && branch !== mine);
  if (strange === undefined) return NO_OBJECTION;
  return {
    objections: [],
    told: [
      `guard: ${strange.entry} was saved on ${String(strange.branch)}, not here, and not by you as far as guard knows; all worktrees share one stash.`,
    ],
  };
}

function judgeRef(hook: Hook, space: HookSpace, one: Foreseen, { ref, how }: RefMove): RefObjections {
  const { at, call } = one;
  const branch = ref.replace(/^refs\//, '');
  const checked_out = gitWorktrees(at.common_dir).find(
    (tree) => [tree.branch, tree.standing?.branch].includes(branch) && tree.git_dir !== at.git_dir,
  );
  if (checked_out !== undefined) {
    const root = checked_out.root ?? checked_out.git_dir;
    const id = inLedger(space, checked_out.id);
    const there = othersFiles(hook, space, checked_out.root === null ? null : [checked_out.root]).filter(
      ({ path }) => (id === null ? !path.startsWith('/') : path.startsWith(`//${id}/`)),
    );
    const inside = id === null || id === space.repo.clone ? [] : agentsIn(hook, space, id);
    const others = [...new Set([...there.flatMap(({ agents }) => agents), ...inside])];
    const operation = checked_out.standing?.operation;
    if (others.length > 0)
      return { objections: [movedUnder(call.source, ref, { root, others, operation })], told: [] };
    return {
      objections: [],
      told: [movedAlone(branch.replace(/^heads\//, ''), root, operation)],
    };
  }
  return how === 'delete' ? lostWith(hook, space, one, ref) : NO_OBJECTION;
}

const COMMITS = 200;

/** Commits that are in no other branch, tag or checkout. */
function lostWith(hook: Hook, space: HookSpace, { at, call }: Foreseen, ref: string): RefObjections {
  const { who } = hook;
  const owners = ownersIn(space.state_dir);
  if (owners.size === 0) return NO_OBJECTION;
  const name = ref.replace(/^refs\/heads\//, '');
  const rest = ['--not', 'HEAD', `--exclude=${name}`, '--branches', '--remotes', '--tags'];
  const listed = askGit(hook, at, 'rev-list', `--max-count=${String(COMMITS)}`, ref, ...rest, '--');
  const commits = (listed ?? '').split('\n').flatMap((id) => {
    const author = owners.get(id) ?? null;
    return author === null || author === who.id || !isAtWork(space, author) ? [] : [{ id, author }];
  });
  return commits.length === 0
    ? NO_OBJECTION
    : { objections: [commitsOfOthers(call.source, { ref, commits })], told: [] };
}
