// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Refuses a write: merges its reasons into one denial, and records it with what the agent wanted from others. */
import { asList } from '../json-object.ts';
import { type Denial, denialOf, type Objection } from '../denial.ts';
import type { Json } from '../ledger.ts';
import { revokedLines } from '../revoked-words.ts';
import type { AgentState, RefusedWait, RepoPath } from '../types.ts';
import { addEdge } from './edges.ts';
import { lockedTogether } from './locked-together.ts';
import { withoutRevoked } from './revoke.ts';
import type { WriteBeginEvent, WriteTarget, WriteVerdict } from './write-event.ts';
import { record, type Step } from './transaction.ts';
import type { JudgedWrite } from './judged-write.ts';

type Denied = Extract<WriteVerdict, { readonly verdict: 'denied' }>;

/** @param objections at least one */
export function reject(refused: JudgedWrite, objections: readonly Objection[]): Step<Denied> {
  const { changes, agent, event, facts } = refused;
  const told = lockedTogether(refused, objections);
  const refusal = denialOf(told.objections);
  if (refusal === null) throw new Error('a refusal without a reason');
  const so_far = changes.agent(agent.id) ?? agent;
  const denial = withRevoked(refusal, so_far.revoked);
  changes.setAgent({
    ...(so_far.revoked ? withoutRevoked(so_far) : so_far),
    denials: agent.denials + 1,
    ...(told.list === null ? {} : { told_locks: { mono_ms: facts.now.mono_ms, paths: told.list } }),
    refused: afterRefusal(agent, event),
  });
  const blocked = event.targets.filter((target) => isLockedByOther(denial, target));
  for (const target of blocked) addEdge(refused, target.path, 'exclusive', null);
  record(refused, 'write.rejected', {
    id: `rejected:${agent.id}:${event.op}`,
    paths: event.targets.map((target) => target.path),
    tool: event.tool,
    op: event.op,
    denial: denial as unknown as Json,
    ...(blocked.length > 0 ? { wanted: blocked.map((target) => target.path) } : {}),
  });
  return { records: changes.records, result: { verdict: 'denied', denial } };
}

/** Leases taken from the agent meanwhile explain the refusal, and are reported with it. */
const withRevoked = (denial: Denial, revoked: AgentState['revoked']): Denial =>
  revoked === undefined
    ? denial
    : { ...denial, details: { ...denial.details, revoked: revokedLines(revoked) } };

/** Kept in the agent's state, which a refusal rewrites anyway. */
const REFUSED_MAX = 32;

function afterRefusal({ turn, refused }: AgentState, { targets }: WriteBeginEvent): RefusedWait {
  const before = refused?.turn === turn ? refused.paths : [];
  const paths = [...before, ...targets.map(({ path }) => path)].slice(0, REFUSED_MAX);
  return { turn, paths };
}

/** A path that was refused before and is approved now no longer counts as refused. */
export const madeGood = ({ turn, paths }: RefusedWait, approved: readonly RepoPath[]): RefusedWait => ({
  turn,
  paths: paths.filter((path) => !approved.includes(path)),
});

function isLockedByOther(denial: Denial, target: WriteTarget): boolean {
  const { also, path } = denial.details;
  const types = [denial.error_type, ...asList(also)];
  return path === target.abs && types.includes('LOCKED_BY_OTHER');
}
