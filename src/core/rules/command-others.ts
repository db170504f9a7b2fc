/** What other agents have to do with files that a command line does not name one by one. */
import { isAlive, isIntentLive } from '../alive.ts';
import { lastKnown } from '../drift.ts';
import { matchesGlob } from '../glob/match.ts';
import { parseGlob } from '../glob/parse.ts';
import { GLOBS } from '../keys.ts';
import { leaseIn } from '../lease-scope.ts';
import { outlookOf } from '../outlook.ts';
import type { Changes } from '../states.ts';
import { rfc3339 } from '../rfc3339.ts';
import type { AgentId, AgentState, Facts, PathState, RepoPath } from '../types.ts';
import type { Area, GitFile } from './command-event.ts';
import { coveringHold, isHolder, liveHolds } from './lease.ts';
import { meetIn, reservedBy, reserversOf, reserversOver } from './overlap.ts';
import { placeOfPath } from './place-of-path.ts';
import type { Acting } from './transaction.ts';

/** Another agent that is in the way. */
export interface Other {
  readonly path: RepoPath;
  readonly holder: AgentId;
  readonly expires_at: string;
  /** A reservation's glob. Absent: a lease, or a write in flight. */
  readonly pattern?: string;
}

/** Leases and writes of others, earliest holder first. What the session's main agent holds, its subagents may use. */
export function holderOf(tx: Acting, path: RepoPath, isHere = true): Other | null {
  const { changes, agent: me, facts } = tx;
  const { intent } = changes.path(path);
  const writer = isHere && isIntentLive(changes, intent, facts) ? intent : null;
  if (writer !== null && writer.agent !== me.id)
    return { path, holder: writer.agent, expires_at: rfc3339(facts.now.wall_ms) };
  if (facts.policy.enforcement === 'off') return null;
  const [hold] = liveHolds(changes, path, facts).filter(
    ({ agent }) => agent !== me.id && agent !== me.parent,
  );
  if (hold === undefined || coveringHold(changes, path, me.id, facts) !== undefined) return null;
  return { path, holder: hold.agent, expires_at: outlookOf(changes, path, hold, facts).expires_at };
}

/** `held`: paths that may be held by others. */
export function othersIn(tx: Acting, area: Area, held: readonly RepoPath[]): Other[] {
  const isHere = (path: RepoPath): boolean => area.is_here?.(path) ?? true;
  const files = held
    .filter((path) => area.covers(path))
    .flatMap((path) => holderOf(tx, path, isHere(path)) ?? []);
  // A lease that counts in several checkouts is found under each name of its file.
  const each = new Map(files.map((one) => [`${leaseIn(tx.changes, one.path)} ${one.holder}`, one]));
  return [...each.values(), ...reservedIn(tx, area)];
}

function reservedIn({ changes, agent: me, facts }: Acting, area: Area): Other[] {
  if (facts.policy.enforcement === 'off' || !changes.get(GLOBS)) return [];
  return reservedBy(changes, reserversIn(changes, area), facts)
    .filter(({ agent }) => agent !== me.id && agent !== me.parent)
    .filter((one) => meets(one, area))
    .map(({ agent, scope, pattern, until_wall_ms }) => ({
      path: scope + pattern,
      holder: agent,
      expires_at: rfc3339(until_wall_ms),
      pattern,
    }));
}

/** All agents that may have reserved some of it. */
const reserversIn = (changes: Changes, { glob, members }: Area): readonly AgentId[] =>
  glob === null ? reserversOf(changes, members) : reserversOver(changes, glob.scope, [parseGlob(glob.text)]);

function meets(one: { readonly scope: string; readonly pattern: string }, { glob, members }: Area): boolean {
  if (glob !== null) return meetIn(one, glob.scope, parseGlob(glob.text));
  const own = parseGlob(one.pattern);
  return members.some((path) => {
    const place = placeOfPath(path);
    return place?.scope === one.scope && matchesGlob(own, place.rel);
  });
}

export interface Work {
  readonly file: GitFile;
  readonly author: AgentId;
}

export interface Authors {
  /** Certainly the work of other live agents. */
  readonly theirs: readonly Work[];
  /** Only the content can show it. */
  readonly unsure: readonly RepoPath[];
  /** The author is not known. */
  readonly strangers: readonly string[];
}

/** The agent for which authorship is determined. */
interface Asker extends Pick<AgentState, 'id' | 'joined_lsn'> {
  /** As in CommandBeginEvent. */
  readonly remembers?: (op: string) => boolean;
}

/** Whose work git would remove, or commit in this agent's name. */
export function authorsOf(changes: Changes, files: readonly GitFile[], me: Asker, facts: Facts): Authors {
  const theirs: Work[] = [];
  const unsure: RepoPath[] = [];
  const strangers: string[] = [];
  const add = { strange: strangers, unsure, own: [] as string[] };
  for (const file of files.filter(({ loses }) => loses !== 'nothing')) {
    const found = whoseIs(changes, file, me, facts);
    if (typeof found === 'object') theirs.push({ file, author: found.author });
    else add[found].push(found === 'unsure' ? file.path : file.abs);
  }
  return { theirs, unsure, strangers };
}

/**
 * What a fork's parent wrote before the fork is in the fork's own history, and is as much its work as its parent's. The
 * lsn excludes what the parent wrote later, when both continue with one transcript.
 */
function asOwnPast(state: PathState, { id, joined_lsn, remembers }: Asker): PathState {
  const { last_write } = state;
  if (last_write === null || last_write.op === null || last_write.lsn >= joined_lsn) return state;
  if (remembers?.(last_write.op) !== true) return state;
  return { ...state, last_write: { ...last_write, agent: id } };
}

/** An unguarded change by one agent's command counts as its work; by several agents or a person, it has no author. */
function whoseIs(
  changes: Changes,
  { path, loses, digest, committed }: GitFile,
  asker: Asker,
  facts: Facts,
): 'own' | 'strange' | 'unsure' | { readonly author: AgentId } {
  const me = asker.id;
  const isOther = (id: AgentId | undefined): id is AgentId =>
    id !== undefined && id !== me && isAlive(changes, id, facts);
  const there = changes.path(path);
  const state = isOther(there.last_write?.agent) ? asOwnPast(there, asker) : there;
  const known = lastKnown(state);
  const agents = known?.by.agents ?? [];
  const [last] = agents;
  if (last === me && agents.length === 1) return 'own';
  // The holder decides about others' changes to a file that it holds, or that it wrote last and may commit.
  const isMine = isHolder(changes, path, me, facts);
  if (isMine || (loses === 'staged' && state.last_write?.agent === me)) return 'own';
  const writer = state.last_write?.agent;
  const author = agents.length === 1 ? last : undefined;
  if (!isOther(author) && !(loses === 'staged' && isOther(writer))) return 'strange';
  if (digest === undefined) return 'unsure';
  if (isOther(author) && digest === known?.digest) return { author };
  // Changed since then by an unknown author: what its writer has committed already is not part of that change.
  const isIn = committed !== undefined && committed === state.last_write?.digest;
  return loses === 'staged' && isOther(writer) && !isIn ? { author: writer } : 'strange';
}
