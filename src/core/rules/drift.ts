/**
 * Content that no guarded write left there, put on record once, however many hooks come upon it: whoever comes later finds
 * the ledger knowing it. Those who lose by it are told at their next event.
 */
import { isIntentLive } from '../alive.ts';
import { lastKnown } from '../drift.ts';
import type { Author, Drifted } from '../drift.ts';
import type { View } from '../ledger.ts';
import { asNoticed, isSameNotice, NOTICED, NOTICED_MAX } from '../noticed.ts';
import { draftOver } from '../states.ts';
import type { Draft } from '../states.ts';
import type { AgentId, AgentState, Digest, Facts, RepoPath } from '../types.ts';
import { present } from './agent.ts';
import type { Who } from './agent.ts';
import { liveHolds } from './lease.ts';
import { answer } from './rule.ts';
import type { Step } from './rule.ts';

export interface DriftChange extends Author {
  readonly path: RepoPath;
  /** What was there when it was last looked at; null: no file, or nobody knows. */
  readonly from: Digest | null;
  readonly to: Digest | null;
  /** This agent had seen what is gone, in this turn. */
  readonly seen: boolean;
}

export interface DriftEvent {
  readonly type: 'drift';
  readonly who: Who;
  /** The call around which it was noticed; '' where there is none. */
  readonly op: string;
  readonly changes: readonly DriftChange[];
}

/**
 * `drift`: on record now. `known`: it was. `pending`: a write that was approved is under way; look again later. `own`: a
 * command of this agent that said so before, whose end records it.
 */
export interface Noted extends Author {
  readonly path: RepoPath;
  readonly state: 'drift' | 'known' | 'pending' | 'own';
  readonly from: Digest | null;
  /** Other agents with a live lease on it. */
  readonly holders: readonly AgentId[];
}

export function noteDrift(view: View, event: DriftEvent, facts: Facts): Step<readonly Noted[]> {
  const { who, changes } = event;
  const draft = draftOver(view);
  const agent = present(draft, who, facts, view.next);
  const noted = changes.map((change) => note(draft, event, change, view.next, facts));
  return answer(draft, agent, facts, noted);
}

function note(draft: Draft, event: DriftEvent, change: DriftChange, next: number, facts: Facts): Noted {
  const { who, op } = event;
  const { path, to, author, agents } = change;
  const state = draft.path(path);
  const holds = liveHolds(draft, path, facts);
  const holders = holds.map((hold) => hold.agent).filter((id) => id !== who.id);
  const { intent } = state;
  const base = { path, from: change.from, author, agents, holders };
  const known = lastKnown(state);
  if (known !== null && known.digest === to) return { ...base, ...pick(known.by), state: 'known' };
  if (isIntentLive(draft, intent, facts)) {
    const isOwn = intent.agent === who.id && intent.op === op;
    return isOwn
      ? { ...base, state: 'own', author: 'parsed', agents: [who.id] }
      : { ...base, state: 'pending' };
  }
  // What its holder wrote counts, not what somebody saw meanwhile.
  const held = known !== null && holds.some((hold) => known.by.agents.includes(hold.agent));
  const from = held ? known.digest : change.from;
  draft.setPath(path, { ...state, drift: { digest: to, author, agents, lsn: next } });
  tellLosers(draft, change, from, facts);
  const bypasses = isBypass(draft, event, change, holders);
  if (bypasses) noteBypass(draft, who.id, change, facts);
  const facts_of = {
    path,
    from,
    to,
    author,
    agents: [...agents],
    holders: holds.map((hold) => hold.agent),
    op,
  };
  draft.record({ type: 'drift', agent: who.id, ts_ms: facts.now.wall_ms, ...facts_of });
  if (bypasses) {
    const how = { what: 'shell', path, op, author };
    draft.record({ type: 'bypass', agent: who.id, ts_ms: facts.now.wall_ms, ...how }, true);
  }
  return { ...base, from, state: 'drift' };
}

const pick = ({ author, agents }: Author): Author => ({ author, agents });

/** Untold ones are kept up to here, the newest. */
const DRIFTED_MAX = 32;

/** Who holds it, and who wrote what is gone; not one whose own command it certainly was. */
function tellLosers(draft: Draft, change: DriftChange, from: Digest | null, facts: Facts): void {
  const { path, to, author, agents } = change;
  const { last_write } = draft.path(path);
  const holders = liveHolds(draft, path, facts).map((hold) => hold.agent);
  const writer = last_write !== null && last_write.digest === from ? [last_write.agent] : [];
  for (const id of new Set([...holders, ...writer])) {
    const loser = draft.agent(id);
    if (loser?.live !== true || (agents.length === 1 && agents[0] === id)) continue;
    const before = loser.drifted?.find((one) => one.path === path);
    const others = (loser.drifted ?? []).filter((one) => one !== before).slice(1 - DRIFTED_MAX);
    const lost = before?.from ?? from;
    const one: Drifted = { path, from: lost, to, author, agents, wall_ms: facts.now.wall_ms };
    const held = holders.includes(id) ? { held: true as const } : {};
    // Put back before it was told: no news.
    const isBack = before !== undefined && lost === to;
    draft.setAgent(withDrifted(loser, isBack ? others : [...others, { ...one, ...held }]));
  }
}

/** Refused to this agent in this turn, not approved since, and then changed by it all the same. */
function isBypass(
  draft: Draft,
  { who }: DriftEvent,
  change: DriftChange,
  holders: readonly AgentId[],
): boolean {
  const { path, agents, seen } = change;
  if (agents.length !== 1 || agents[0] !== who.id) return false;
  const { refused, turn } = draft.agent(who.id) ?? {};
  if (refused === undefined || refused.turn !== turn || !refused.paths.includes(path)) return false;
  return holders.length > 0 || !seen;
}

const BYPASSED_MAX = 32;

/** For whoever sent the agent, and for a person. */
function noteBypass(draft: Draft, id: AgentId, { path, author }: DriftChange, facts: Facts): void {
  const agent = draft.agent(id);
  if (agent === undefined) return;
  const { turn, bypassed } = agent;
  const others = bypassed?.turn === turn ? bypassed.paths.filter((one) => one !== path) : [];
  draft.setAgent({ ...agent, bypassed: { turn, paths: [...others, path].slice(-BYPASSED_MAX) } });
  const file = facts.spelled?.(path) ?? path;
  const detail = `written by a command after guard refused it${author === 'suspected' ? ' (no other command ran then)' : ''}`;
  const notice = { what: 'changed' as const, file, detail, event: '' };
  const noticed = asNoticed(draft.get(NOTICED)).filter((one) => !isSameNotice(one, notice));
  const item = { ...notice, agent: id, at_wall_ms: facts.now.wall_ms, told: false };
  draft.set(NOTICED, { items: [...noticed, item].slice(-NOTICED_MAX) });
}

export interface DriftToldEvent {
  readonly type: 'drift.told';
  readonly who: Who;
  /** Only of these; null: of all. */
  readonly only: readonly RepoPath[] | null;
}

/** What it has not been told yet, and is still so; from now on it has. */
export function tellDrift(view: View, { who, only }: DriftToldEvent, facts: Facts): Step<readonly Drifted[]> {
  const draft = draftOver(view);
  const { drifted = [] } = draft.agent(who.id) ?? {};
  const asked = drifted.filter(({ path }) => only === null || only.includes(path));
  if (asked.length === 0) return { records: [], result: [] };
  const agent = present(draft, who, facts, view.next);
  const told = withDrifted(
    agent,
    drifted.filter((one) => !asked.includes(one)),
  );
  draft.setAgent(told);
  const news = asked.filter(({ path, to }) => draft.path(path).drift?.digest === to && isNewest(draft, path));
  return answer(draft, told, facts, news);
}

/** Nobody wrote it through guard since. */
const isNewest = (draft: Draft, path: RepoPath): boolean => {
  const state = draft.path(path);
  return lastKnown(state)?.lsn === state.drift?.lsn;
};

function withDrifted(agent: AgentState, drifted: readonly Drifted[]): AgentState {
  const { drifted: before, ...rest } = agent;
  if (drifted.length > 0) return { ...rest, drifted };
  return before === undefined ? agent : rest;
}
