// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * What a foreign lock server does with files, as far as its tools' calls and answers tell: holds, waits and releases in
 * a namespace of their own (`mala-locking//src/a.ts`). They feed the search for deadlocks and never deny a write.
 */
import type { View } from '../ledger.ts';
import { shadowOf } from '../shadow.ts';
import { draftOver } from '../states.ts';
import type { Draft } from '../states.ts';
import type { AgentId, AgentState, Facts, RepoPath } from '../types.ts';
import { present } from './agent.ts';
import type { Who } from './agent.ts';
import { findDeadlocks, undelivered } from './deadlock.ts';
import type { Deadlock } from './deadlock.ts';
import { addEdge, mayWait } from './edges.ts';
import { newHold } from './grant.ts';
import { pathsHeldBy } from './held-paths.ts';
import { setHolds } from './holds.ts';
import { liveHolds } from './lease.ts';
import { answer } from './rule.ts';
import type { Step } from './rule.ts';
import type { Acting, Granting } from './transaction.ts';
import { mustStop, markDelivered, stopWaiting } from './verdicts.ts';

/** Paths are those of the repository; the rule puts them into the server's namespace. */
export interface ShadowEvent {
  readonly type: 'lock.shadow';
  readonly who: Who;
  readonly server: string;
  /** A wait begins, and lasts until then at most. */
  readonly waits: { readonly files: readonly RepoPath[]; readonly until_mono_ms: number } | null;
  /** Waits that are over, whatever came of them. */
  readonly ended: readonly RepoPath[];
  readonly held: readonly RepoPath[];
  /** `holder`: what the server calls whoever has it. */
  readonly refused: readonly { readonly file: RepoPath; readonly holder: string | null }[];
  readonly released: readonly RepoPath[] | 'all';
}

/** Deadlocks in which one of the files stands; those whose victim the caller is end its wait. */
export function shadowLocks(view: View, event: ShadowEvent, facts: Facts): Step<readonly Deadlock[]> {
  const { who, server } = event;
  const shadow = (file: RepoPath): RepoPath => shadowOf(server, file);
  const waits = (event.waits?.files ?? []).map(shadow);
  const [ended, held] = [event.ended.map(shadow), event.held.map(shadow)];
  const refused = event.refused.map(({ file, holder }) => ({ path: shadow(file), holder }));
  const draft = draftOver(view);
  const agent = present(draft, who, facts, view.next);
  const heldIn = (): RepoPath[] =>
    pathsHeldBy(view, draft, agent.id, facts).filter((path) => path.startsWith(shadow('')));
  const deciding = { view, draft, agent, facts, next: view.next };
  endWaits(draft, agent, ended, facts);
  if (held.length > 0) hold(deciding, held, server);
  for (const { path, holder } of refused) refuse(deciding, path, holder, server);
  const released = event.released === 'all' ? heldIn() : event.released.map(shadow);
  letGo(deciding, released, server);
  if (event.waits !== null) beginWaits(deciding, waits, event.waits.until_mono_ms, server);
  const found = mayWait(draft, agent) ? findDeadlocks(deciding, waits) : undelivered(draft, agent.id);
  const about = [...waits, ...ended];
  if (found.some((dead) => mustStop(dead, agent, about))) stopWaiting(deciding, about, 'exclusive');
  markDelivered(draft, agent, about, found);
  const told = found.filter(({ cycle }) =>
    cycle.some(({ from, path }) => from === agent.id && about.includes(path)),
  );
  return answer(draft, agent, facts, told);
}

function endWaits(draft: Draft, agent: AgentState, paths: readonly RepoPath[], facts: Facts): void {
  const wait = draft.wait(agent.id);
  const left = wait.edges.filter(({ path }) => !paths.includes(path));
  if (left.length === wait.edges.length) return;
  draft.setWait(agent.id, { ...wait, edges: left });
  draft.record({
    type: 'unwait',
    agent: agent.id,
    ts_ms: facts.now.wall_ms,
    paths: wait.edges.filter((edge) => !left.includes(edge)).map(({ path }) => path),
    cause: 'ended',
  });
}

/** The server says so: whoever held it before does no more. */
function hold(granting: Granting, paths: readonly RepoPath[], server: string): void {
  const { draft, agent, facts } = granting;
  for (const path of paths) {
    const mine = newHold(granting, 'exclusive', facts.policy.ttl_ms);
    setHolds(draft, path, { ...draft.path(path), holds: [mine] });
  }
  draft.record({ type: 'hold', agent: agent.id, ts_ms: facts.now.wall_ms, paths, mode: 'exclusive', server });
}

function refuse(granting: Granting, path: RepoPath, holder: string | null, server: string): void {
  const { draft, agent, facts } = granting;
  if (holder !== null) nameHolder(granting, path, shadowOf(server, holder));
  if (!addEdge(granting, path, 'exclusive', null)) return;
  draft.record({
    type: 'wait',
    agent: agent.id,
    ts_ms: facts.now.wall_ms,
    path,
    kind: 'wanted',
    holders: draft.path(path).holds.map((one) => one.agent),
    server,
  });
}

/** The agent whose hold is on record is the one that the server calls by this name; unknown, the name itself holds. */
function nameHolder(granting: Granting, path: RepoPath, name: AgentId): void {
  const { draft, agent, facts } = granting;
  const [known] = liveHolds(draft, path, facts).filter((one) => one.agent !== agent.id);
  if (known !== undefined && known.agent !== name) {
    if (draft.agent(name)?.same_as !== known.agent) draft.setAgent(aliasOf(name, known.agent, agent, facts));
    return;
  }
  if (known !== undefined) return;
  const nobody = { ...agent, id: name, epoch: draft.agent(name)?.epoch ?? 0 };
  const theirs = newHold({ ...granting, agent: nobody }, 'exclusive', facts.policy.ttl_ms);
  setHolds(draft, path, { ...draft.path(path), holds: [theirs] });
}

const aliasOf = (name: AgentId, same_as: AgentId, agent: AgentState, { now }: Facts): AgentState => ({
  ...agent,
  id: name,
  parent: null,
  session: null,
  epoch: 0,
  active_mono_ms: now.mono_ms,
  active_wall_ms: now.wall_ms,
  proc: null,
  op: null,
  background: [],
  denials: 0,
  same_as,
});

function letGo({ draft, agent, facts }: Acting, paths: readonly RepoPath[], server: string): void {
  const mine = paths.filter((path) => draft.path(path).holds.some((one) => one.agent === agent.id));
  if (mine.length === 0) return;
  for (const path of mine) {
    const state = draft.path(path);
    setHolds(draft, path, { ...state, holds: state.holds.filter((one) => one.agent !== agent.id) });
  }
  draft.record({ type: 'release', agent: agent.id, ts_ms: facts.now.wall_ms, paths: mine, server });
}

function beginWaits(acting: Acting, paths: readonly RepoPath[], until_mono_ms: number, server: string): void {
  const { draft, agent, facts } = acting;
  for (const path of paths) {
    if (draft.path(path).holds.some((one) => one.agent === agent.id)) continue;
    if (!addEdge(acting, path, 'exclusive', until_mono_ms)) continue;
    draft.record({
      type: 'wait',
      agent: agent.id,
      ts_ms: facts.now.wall_ms,
      path,
      kind: 'wait',
      holders: draft.path(path).holds.map((one) => one.agent),
      server,
    });
  }
}
