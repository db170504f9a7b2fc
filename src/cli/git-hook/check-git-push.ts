/**
 * guard's verdict on a push that git is about to make: the same as that of the Bash hook (claude/commands/push-checked.ts),
 * for pushes that no command line shows. It only looks: the agent is informed of what it lost at its next event.
 */
import { agentKey } from '../../core/keys.ts';
import { refusedPush, unaskedNote } from '../../core/push-lines.ts';
import type { Committer } from '../../core/rules/commit.ts';
import { asAgentState } from '../../core/states.ts';
import type { AgentId, Revoked } from '../../core/types.ts';
import { unaskedWrites } from '../../store/late/unasked-writes.ts';
import { isAway } from '../../workspace/cached-ledger.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Shell } from '../shell.ts';
import { closing, workspaceAround } from '../workspace.ts';
import { gitCaller } from './git-caller.ts';
import { hookPlace, type NotChecked } from './hook-place.ts';

export type GitPushCheck =
  NotChecked | { readonly state: 'clear' | 'refused'; readonly lines: readonly string[] };

const CLEAR: GitPushCheck = { state: 'clear', lines: [] };

/** As long as a hook waits that has cached leases. */
const DEADLINE_MS = 2_000;

export async function checkGitPush(shell: Shell): Promise<GitPushCheck> {
  const place = hookPlace(shell);
  if (place.state !== 'here') return place;
  const around = { ...shell, cwd: place.at.root };
  return closing(workspaceAround(around, [], { lock_deadline_ms: DEADLINE_MS }), (space) =>
    verdictIn(space, shell),
  );
}

/** Only a shared ledger can be away while its leases are relied on. */
function verdictIn(space: Workspace, shell: Shell): GitPushCheck {
  if (!space.store.supports.shared || space.config.policy.enforcement === 'off') return CLEAR;
  const by = gitCaller(space, shell);
  // Asks the ledger, which first takes in what was left for it.
  const lost = unlessAway(() => lostBy(space, by));
  const unasked = unaskedWrites(space.state_dir, (id) => by.who.kind === 'person' || isOwn(id, by));
  if (by.who.kind === 'person') return { state: 'clear', lines: unaskedNote(unasked) };
  const at = space.cwd;
  if (unasked.length > 0) return { state: 'refused', lines: refusedPush(at, { unasked }) };
  return lost.length > 0 ? { state: 'refused', lines: refusedPush(at, { lost }) } : CLEAR;
}

const isOwn = (id: AgentId, { who, is_any }: Committer): boolean =>
  id === who.id || (is_any && [`${who.id}/`, `${who.id}~`].some((start) => id.startsWith(start)));

function lostBy({ store }: Workspace, { who, is_any }: Committer): readonly Revoked[] {
  const stateOf = (id: AgentId) => asAgentState(store.look([agentKey(id)]).get(agentKey(id)));
  const own = stateOf(who.id);
  const all = [own, ...(is_any ? (own?.children ?? []).map(stateOf) : [])];
  return all.flatMap((agent) => agent?.revoked ?? []).filter(({ cause }) => cause === 'away');
}

function unlessAway<T>(look: () => readonly T[]): readonly T[] {
  try {
    return look();
  } catch (error) {
    if (isAway(error)) return [];
    throw error;
  }
}
