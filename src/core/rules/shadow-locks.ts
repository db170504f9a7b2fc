// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * What a foreign lock server does with files, as far as its tools' calls and answers show: holds, waits and releases in
 * their own namespace (`mala-locking//src/a.ts`). They contribute to deadlock detection and never deny a write.
 */
import type { View } from '../ledger.ts';
import { shadowOf } from '../shadow.ts';
import type { AgentId, AgentState, Facts, RepoPath } from '../types.ts';
import type { Who } from './who.ts';
import { type Deadlock, findDeadlocks, undelivered } from './deadlock.ts';
import { addEdge, mayWait } from './edges.ts';
import { newHold } from './grant.ts';
import { pathsHeldBy } from './held-paths.ts';
import { dropHolds, setHolds } from './holds.ts';
import { liveHolds } from './lease.ts';
import { mustStop, markDelivered, stopWaiting } from './verdicts.ts';
import { transactionOf } from './opened.ts';
import { type Acting, answer, type Granting, record, type Step } from './transaction.ts';

/** Paths are the repository's; the rule moves them into the server's namespace. */
export interface ShadowEvent {
  readonly type: 'lock.shadow';
  readonly who: Who;
  readonly server: string;
  /** A wait begins and lasts until then at most. */
  readonly waits: { readonly files: readonly RepoPath[]; readonly until_mono_ms: number } | null;
  /** Waits that have ended, with any result. */
  readonly ended: readonly RepoPath[];
  readonly held: readonly RepoPath[];
  /** `holder`: the server's name for the holder. */
  readonly refused: readonly { readonly file: RepoPath; readonly holder: string | null }[];
  readonly released: readonly RepoPath[] | 'all';
}

/** Deadlocks that involve one of the files; one whose victim is the caller ends its wait. */
export function shadowLocks(view: View, event: ShadowEvent, facts: Facts): Step<readonly Deadlock[]> {
  const { who, server } = event;
  const shadow = (file: RepoPath): RepoPath => shadowOf(server, file);
  const waits = (event.waits?.files ?? []).map(shadow);
  const [ended, held] = [event.ended.map(shadow), event.held.map(shadow)];
  const refused = event.refused.map(({ file, holder }) => ({ path: shadow(file), holder }));
  // The server grants these, not this ledger.
  const tx = transactionOf(view, who, { ...facts, requireJoined: () => undefined });
  const { changes, agent } = tx;
  const heldIn = (): RepoPath[] =>
    pathsHeldBy(view, changes, agent.id, facts).filter((path) => path.startsWith(shadow('')));
  endWaits(tx, ended);
  if (held.length > 0) hold(tx, held, server);
  for (const { path, holder } of refused) refuse(tx, path, holder, server);
  const released = event.released === 'all' ? heldIn() : event.released.map(shadow);
  letGo(tx, released, server);
  if (event.waits !== null) beginWaits(tx, waits, event.waits.until_mono_ms, server);
  const found = mayWait(changes, agent) ? findDeadlocks(tx, waits) : undelivered(changes, agent.id);
  const about = [...waits, ...ended];
  if (found.some((dead) => mustStop(dead, agent, about))) stopWaiting(tx, about, 'exclusive');
  markDelivered(changes, agent, about, found);
  const told = found.filter(({ cycle }) =>
    cycle.some(({ from, path }) => from === agent.id && about.includes(path)),
  );
  return answer(tx, told);
}

function endWaits(tx: Acting, paths: readonly RepoPath[]): void {
  const { changes, agent } = tx;
  const wait = changes.wait(agent.id);
  const left = wait.edges.filter(({ path }) => !paths.includes(path));
  if (left.length === wait.edges.length) return;
  changes.setWait(agent.id, { ...wait, edges: left });
  record(tx, 'unwait', {
    paths: wait.edges.filter((edge) => !left.includes(edge)).map(({ path }) => path),
    cause: 'ended',
  });
}

/** The server reports it, so any earlier holder has lost it. */
function hold(tx: Granting, paths: readonly RepoPath[], server: string): void {
  const { changes, facts } = tx;
  for (const path of paths) {
    const mine = newHold(tx, path, 'exclusive', facts.policy.ttl_ms);
    setHolds(changes, path, { ...changes.path(path), holds: [mine] });
  }
  record(tx, 'hold', { paths, mode: 'exclusive', server });
}

function refuse(tx: Granting, path: RepoPath, holder: string | null, server: string): void {
  if (holder !== null) nameHolder(tx, path, shadowOf(server, holder));
  if (!addEdge(tx, path, 'exclusive', null)) return;
  record(tx, 'wait', {
    path,
    kind: 'wanted',
    holders: tx.changes.path(path).holds.map((one) => one.agent),
    server,
  });
}

/** The recorded holder is the agent that the server calls by this name; if none is known, the name itself holds. */
function nameHolder(tx: Granting, path: RepoPath, name: AgentId): void {
  const { changes, agent, facts } = tx;
  const [known] = liveHolds(changes, path, facts).filter((one) => one.agent !== agent.id);
  if (known !== undefined && known.agent !== name) {
    if (changes.agent(name)?.same_as !== known.agent)
      changes.setAgent(aliasOf(name, known.agent, agent, facts));
    return;
  }
  if (known !== undefined) return;
  const nobody = { ...agent, id: name, epoch: changes.agent(name)?.epoch ?? 0 };
  const theirs = newHold({ ...tx, agent: nobody }, path, 'exclusive', facts.policy.ttl_ms);
  setHolds(changes, path, { ...changes.path(path), holds: [theirs] });
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

function letGo(tx: Acting, paths: readonly RepoPath[], server: string): void {
  const { changes, agent } = tx;
  const mine = paths.filter((path) => changes.path(path).holds.some((one) => one.agent === agent.id));
  if (mine.length === 0) return;
  for (const path of mine) dropHolds(changes, path, agent.id);
  record(tx, 'release', { paths: mine, server });
}

function beginWaits(tx: Acting, paths: readonly RepoPath[], until_mono_ms: number, server: string): void {
  const { changes, agent } = tx;
  for (const path of paths) {
    if (changes.path(path).holds.some((one) => one.agent === agent.id)) continue;
    if (!addEdge(tx, path, 'exclusive', until_mono_ms)) continue;
    record(tx, 'wait', {
      path,
      kind: 'wait',
      holders: changes.path(path).holds.map((one) => one.agent),
      server,
    });
  }
}
