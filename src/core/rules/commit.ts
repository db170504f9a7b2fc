/** The paths of a commit that belong to other agents: checked when git is about to commit. Nothing is written. */
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

/** The committing agent. */
export interface Committer {
  readonly who: Who;
  /** Nothing shows which agent of its session it is, so what any of them holds counts as its own. */
  readonly is_any: boolean;
}

export interface RefusedPath {
  readonly path: RepoPath;
  readonly holder: AgentId;
  readonly because: 'hold' | 'reservation' | 'write' | 'work';
  /** RFC 3339; `null` for work, whose time is not known. */
  readonly since: string | null;
  /** For work: the digest that its author wrote. It is theirs only if exactly that is about to be committed. */
  readonly digest?: Digest;
  /** For a reservation, the reason given by its holder. */
  readonly reason?: string | undefined;
  readonly pattern?: string | undefined;
}

/**
 * The paths that another live agent locked for writing, reserved, is writing, or wrote last without committing. A
 * commit changes no file, so shared locks and places in a queue do not matter, nor does a lease that would yield. Only
 * agents must leave out what another agent wrote: a person commits what their agents have made.
 * @param view a view of the whole ledger
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

/** A session's subagents may commit what its main agent wrote. */
function workOn(changes: Changes, path: RepoPath, me: AgentState, facts: Facts): RefusedPath | null {
  if (me.kind === 'person') return null;
  // The caller compares what is staged; here it is the content with a known author.
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
