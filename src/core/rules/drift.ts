/**
 * Records content that no guarded write produced, once, however many hooks notice it: later hooks find it in the
 * ledger. Agents that lose work by it are notified at their next event.
 */
import { isIntentLive } from '../alive.ts';
import { lastKnown } from '../drift.ts';
import type { Author, Drifted } from '../drifted.ts';
import type { View } from '../ledger.ts';
import { NOTICED, withNotice } from '../noticed.ts';
import { type Changes, changesOver } from '../states.ts';
import type { AgentId, AgentState, Digest, Facts, RepoPath } from '../types.ts';
import type { Who } from './who.ts';
import { holdsHere } from './holds-here.ts';
import { transactionOf } from './opened.ts';
import { answer, record, type Step, type Transaction } from './transaction.ts';

/** `from`: the content when it was last looked at. */
export interface DriftChange extends Omit<Drifted, 'wall_ms' | 'held'> {
  /** This agent had seen the previous content in this turn. */
  readonly seen: boolean;
}

export interface DriftEvent {
  readonly type: 'drift';
  readonly who: Who;
  /** The call around which it was noticed; '' if there is none. */
  readonly op: string;
  readonly changes: readonly DriftChange[];
}

/**
 * `drift`: recorded now. `known`: it was already. `pending`: an approved write is in flight; look again later. `own`:
 * an announced change by a command of this agent, whose end records it.
 */
export interface Noted extends Author {
  readonly path: RepoPath;
  readonly state: 'drift' | 'known' | 'pending' | 'own';
  readonly from: Digest | null;
  /** Other agents with a live lease on it. */
  readonly holders: readonly AgentId[];
}

export function noteDrift(view: View, event: DriftEvent, facts: Facts): Step<readonly Noted[]> {
  const tx = transactionOf(view, event.who, facts);
  return answer(
    tx,
    event.changes.map((change) => note(tx, event, change)),
  );
}

function note(tx: Transaction, event: DriftEvent, change: DriftChange): Noted {
  const { changes, facts, next } = tx;
  const { who, op } = event;
  const { path, to, author, agents } = change;
  const state = changes.path(path);
  const holds = holdsHere(changes, path, facts);
  const holders = holds.map((hold) => hold.agent).filter((id) => id !== who.id);
  const { intent } = state;
  const base = { path, from: change.from, author, agents, holders };
  const known = lastKnown(state);
  if (known !== null && known.digest === to) return { ...base, ...pick(known.by), state: 'known' };
  if (isIntentLive(changes, intent, facts)) {
    const isOwn = intent.agent === who.id && intent.op === op;
    return isOwn
      ? { ...base, state: 'own', author: 'parsed', agents: [who.id] }
      : { ...base, state: 'pending' };
  }
  // What its holder wrote counts, not what another agent saw meanwhile.
  const held = known !== null && holds.some((hold) => known.by.agents.includes(hold.agent));
  const from = held ? known.digest : change.from;
  changes.setPath(path, { ...state, drift: { digest: to, author, agents, lsn: next } });
  tellLosers(changes, change, from, facts);
  const bypasses = isBypass(changes, event, change, holders);
  if (bypasses) noteBypass(changes, who.id, change, facts);
  const told = { path, from, to, author, agents: [...agents], holders: holds.map((hold) => hold.agent), op };
  record(tx, 'drift', told);
  if (bypasses) record(tx, 'bypass', { what: 'shell', path, op, author }, true);
  return { ...base, from, state: 'drift' };
}

const pick = ({ author, agents }: Author): Author => ({ author, agents });

/** The newest notifications are kept, up to this many. */
const DRIFTED_MAX = 32;

/** Notifies the holders and the lost content's author, except an agent whose own command certainly made the change. */
function tellLosers(changes: Changes, change: DriftChange, from: Digest | null, facts: Facts): void {
  const { path, to, author, agents } = change;
  const { last_write } = changes.path(path);
  const holders = holdsHere(changes, path, facts).map((hold) => hold.agent);
  const writer = last_write !== null && last_write.digest === from ? [last_write.agent] : [];
  for (const id of new Set([...holders, ...writer])) {
    const loser = changes.agent(id);
    if (loser?.live !== true || (agents.length === 1 && agents[0] === id)) continue;
    const before = loser.drifted?.find((one) => one.path === path);
    const others = (loser.drifted ?? []).filter((one) => one !== before).slice(1 - DRIFTED_MAX);
    const lost = before?.from ?? from;
    const one: Drifted = { path, from: lost, to, author, agents, wall_ms: facts.now.wall_ms };
    const held = holders.includes(id) ? { held: true as const } : {};
    // The content was restored before the agent was notified: there is nothing to report.
    const isBack = before !== undefined && lost === to;
    changes.setAgent(withDrifted(loser, isBack ? others : [...others, { ...one, ...held }]));
  }
}

/** Refused to this agent in this turn, not approved since, and then changed by it in another way. */
function isBypass(
  changes: Changes,
  { who }: DriftEvent,
  change: DriftChange,
  holders: readonly AgentId[],
): boolean {
  const { path, agents, seen } = change;
  if (agents.length !== 1 || agents[0] !== who.id) return false;
  const { refused, turn } = changes.agent(who.id) ?? {};
  if (refused === undefined || refused.turn !== turn || !refused.paths.includes(path)) return false;
  return holders.length > 0 || !seen;
}

const BYPASSED_MAX = 32;

/** Notifies the agent's parent and a person. */
function noteBypass(changes: Changes, id: AgentId, { path, author }: DriftChange, facts: Facts): void {
  const agent = changes.agent(id);
  if (agent === undefined) return;
  const { turn, bypassed } = agent;
  const others = bypassed?.turn === turn ? bypassed.paths.filter((one) => one !== path) : [];
  changes.setAgent({ ...agent, bypassed: { turn, paths: [...others, path].slice(-BYPASSED_MAX) } });
  const file = facts.spelled?.(path) ?? path;
  const detail = `written by a command after guard refused it${author === 'suspected' ? ' (no other command ran then)' : ''}`;
  const notice = { what: 'changed' as const, file, detail, event: '' };
  const item = { ...notice, agent: id, at_wall_ms: facts.now.wall_ms, told: false };
  changes.set(NOTICED, withNotice(changes.get(NOTICED), item));
}

export interface DriftToldEvent {
  readonly type: 'drift.told';
  readonly who: Who;
  /** Only for these paths; `null`: for all. */
  readonly only: readonly RepoPath[] | null;
}

/** The drift that the agent has not been notified of and that is still present; marks it as reported. */
export function tellDrift(view: View, { who, only }: DriftToldEvent, facts: Facts): Step<readonly Drifted[]> {
  const { drifted = [] } = changesOver(view).agent(who.id) ?? {};
  const asked = drifted.filter(({ path }) => only === null || only.includes(path));
  if (asked.length === 0) return { records: [], result: [] };
  const tx = transactionOf(view, who, facts);
  const { changes, agent } = tx;
  const left = drifted.filter((one) => !asked.includes(one));
  changes.setAgent(withDrifted(agent, left));
  const news = asked.filter(
    ({ path, to }) => changes.path(path).drift?.digest === to && isNewest(changes, path),
  );
  return answer(tx, news);
}

/** It has not been written through guard since. */
const isNewest = (changes: Changes, path: RepoPath): boolean => {
  const state = changes.path(path);
  return lastKnown(state)?.lsn === state.drift?.lsn;
};

function withDrifted(agent: AgentState, drifted: readonly Drifted[]): AgentState {
  const { drifted: before, ...rest } = agent;
  if (drifted.length > 0) return { ...rest, drifted };
  return before === undefined ? agent : rest;
}
