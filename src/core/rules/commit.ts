/** What of a commit other agents keep: asked when git is about to make it. Nothing is written. */
import { isIntentLive } from '../alive.ts';
import { lastKnown } from '../drift.ts';
import type { View } from '../ledger.ts';
import { type Changes, changesOver } from '../states.ts';
import { rfc3339 } from '../rfc3339.ts';
import type { AgentId, AgentState, Digest, Facts, RepoPath } from '../types.ts';
import type { Who } from './who.ts';
import { authorsOf } from './command-others.ts';
import { newcomer } from './join.ts';
import { claim } from './lease.ts';

/** Who commits. */
export interface Committer {
  readonly who: Who;
  /** Nothing says which agent of its session it is: what any of them holds is its own. */
  readonly is_any: boolean;
}

export interface RefusedPath {
  readonly path: RepoPath;
  readonly holder: AgentId;
  readonly because: 'hold' | 'reservation' | 'write' | 'work';
  /** RFC 3339; of work it is not known. */
  readonly since: string | null;
  /** Of work: what its author wrote. It is theirs only where exactly that is about to be committed. */
  readonly digest?: Digest;
  /** Of a reservation, in the words of who made it. */
  readonly reason?: string | undefined;
  readonly pattern?: string | undefined;
}

/**
 * Those of the paths that another live agent locked to write, reserved, is writing, or wrote last without committing it.
 * A commit changes no file, so shared locks and turns in a queue do not matter; a lease that would yield to whoever asks does not
 * either. What an agent wrote is for agents alone to leave out: a person commits what their agents have made.
 * @param view of everything
 */
export function keptFromCommit(
  view: View,
  paths: readonly RepoPath[],
  by: Committer,
  facts: Facts,
): readonly RefusedPath[] {
  if (facts.policy.enforcement === 'off') return [];
  const changes = changesOver(view);
  const me = changes.agent(by.who.id) ?? newcomer(by.who, facts, view.next);
  return paths.flatMap((path) => {
    const kept = keptBy(changes, path, me, facts) ?? workOn(changes, path, me, facts);
    return kept === null || isOwn(kept.holder, by) ? [] : [kept];
  });
}

const isOwn = (holder: AgentId, { who, is_any }: Committer): boolean =>
  is_any && (holder === who.id || holder.startsWith(`${who.id}/`));

function keptBy(changes: Changes, path: RepoPath, me: AgentState, facts: Facts): RefusedPath | null {
  const { intent } = changes.path(path);
  if (isIntentLive(changes, intent, facts) && intent.agent !== me.id)
    return { path, holder: intent.agent, because: 'write', since: rfc3339(facts.now.wall_ms) };
  const found = claim({ changes, agent: me, facts }, path, 'shared');
  if (found.verdict !== 'blocked' || found.blocked.because === 'queue') return null;
  const { because, holder, since, reservation } = found.blocked;
  if (because === 'hold') return { path, holder, because, since };
  const { reason, pattern } = reservation ?? {};
  return { path, holder, because: 'reservation', since, reason, pattern };
}

/** What the session's main agent wrote, its subagents may commit for it. */
function workOn(changes: Changes, path: RepoPath, me: AgentState, facts: Facts): RefusedPath | null {
  if (me.kind === 'person') return null;
  // What is staged is compared by the caller; here it is the content that is known to be somebody's.
  const digest = lastKnown(changes.path(path))?.digest ?? null;
  if (digest === null) return null;
  const file = {
    path,
    abs: path,
    on_disk: false,
    loses: 'staged',
    source: '',
    narrower: () => null,
    digest,
  } as const;
  const [work] = authorsOf(changes, [file], me, facts).theirs;
  if (work === undefined || work.author === me.parent) return null;
  return { path, holder: work.author, because: 'work', since: null, digest };
}
