// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * The same path in other checkouts: which agents hold it there, write it now, or wrote it lately. Found by key in each
 * known checkout, so without linked worktrees it costs one look-up. Each finding is reported once, and is never a
 * reason to deny.
 */
import { isAlive, isIntentLive } from '../alive.ts';
import { inMain, leaseIn } from '../lease-scope.ts';
import { rfc3339 } from '../rfc3339.ts';
import type { Changes } from '../states.ts';
import type { AgentId, Digest, Facts, LastWrite, RepoPath } from '../types.ts';
import {
  asCheckouts,
  asTold,
  CHECKOUTS,
  checkoutAt,
  checkoutsIn,
  pathIn,
  toldKey,
  worktreesOf,
} from '../worktrees.ts';
import { holdsHere } from './holds-here.ts';
import type { Acting } from './transaction.ts';

export interface Elsewhere {
  /** The path in the asking agent's checkout. */
  readonly path: RepoPath;
  /** Where the other agent has it: a linked worktree, or '' for the main checkout. */
  readonly checkout: string;
  readonly agent: AgentId;
  readonly does: 'holds' | 'writes' | 'wrote';
  /** RFC 3339; `null` if an older guard wrote the record, which has no time. */
  readonly since: string | null;
}

/** `digest`: the content here; absent if it was not read. */
interface OwnFile {
  readonly path: RepoPath;
  readonly digest?: Digest | null;
}

interface Found extends Elsewhere {
  /** Identifies the finding: one that was reported before is not reported again. */
  readonly tag: string;
}

/** Per call: the files to look up in other checkouts, and the findings to report. */
const FILES_MAX = 64;
const SHOWN_MAX = 32;
const TAGS_MAX = 64;
const LATELY_MS = 86_400_000;

/** The new findings about these files, one per agent; they count as reported from now on. */
export function elsewhere(tx: Acting, given: readonly (OwnFile | RepoPath)[]): readonly Elsewhere[] {
  const { changes, agent, facts } = tx;
  const files = given.map((file) => (typeof file === 'string' ? { path: file } : file));
  noteCheckouts(
    changes,
    files.map(({ path }) => path),
    facts,
  );
  const checkouts = (facts.policy.lease_scope ?? 'apart') === 'apart' ? [] : checkoutsIn(changes);
  if (checkouts.length < 2) return [];
  const found = files.slice(0, FILES_MAX).flatMap((file) => besides(tx, file, checkouts));
  if (found.length === 0) return [];
  const { tags = [] } = asTold(changes.get(toldKey(agent.id))) ?? {};
  const news = found.filter(({ tag }) => !tags.includes(tag)).slice(0, SHOWN_MAX);
  if (news.length === 0) return [];
  const { boot, mono_ms, wall_ms } = facts.now;
  const known = [...tags, ...news.map(({ tag }) => tag)].slice(-TAGS_MAX);
  changes.set(toldKey(agent.id), { tags: known, at: { boot, mono_ms, wall_ms } });
  const first = new Map(
    [...news].reverse().map((one) => [JSON.stringify([one.path, one.checkout, one.agent]), one]),
  );
  const said = news.filter((one) => [...first.values()].includes(one));
  return said.map(({ path, checkout, agent: by, does, since }) => ({
    path,
    checkout,
    agent: by,
    does,
    since,
  }));
}

const besides = (tx: Acting, file: OwnFile, checkouts: readonly string[]): readonly Found[] =>
  checkouts
    .filter((checkout) => checkout !== checkoutAt(file.path))
    .flatMap((checkout) => othersOn(tx, file, checkout));

/** What an agent holds or writes now comes before what it wrote earlier. */
function othersOn({ changes, agent: me, facts }: Acting, file: OwnFile, checkout: string): readonly Found[] {
  const path = pathIn(checkout, inMain(file.path));
  if (path === file.path) return [];
  const { intent, last_write } = changes.path(path);
  const said = { path: file.path, checkout };
  // If one lease covers both checkouts, it has been checked already.
  const isOne = leaseIn(changes, path) === leaseIn(changes, file.path);
  const holds = isOne ? [] : holdsHere(changes, path, facts);
  const found: Found[] = holds.map((hold) => ({
    ...{ ...said, agent: hold.agent, does: 'holds', since: rfc3339(hold.since_wall_ms) },
    tag: `${path} ${hold.agent}`,
  }));
  if (isIntentLive(changes, intent, facts)) {
    const { agent, since_wall_ms } = intent;
    found.push({ ...said, agent, does: 'writes', since: rfc3339(since_wall_ms), tag: `${path} ${agent}` });
  }
  if (last_write !== null && isLate(changes, last_write, facts) && last_write.digest !== file.digest) {
    const { agent, digest, wall_ms } = last_write;
    const since = wall_ms === undefined ? null : rfc3339(wall_ms);
    const tag = `${path} ${agent} ${digest?.slice(0, 12) ?? '-'}`;
    found.push({ ...said, agent, does: 'wrote', since, tag });
  }
  return found.filter(({ agent }) => agent !== me.id && agent !== me.parent);
}

const isLate = (changes: Changes, { agent, wall_ms }: LastWrite, facts: Facts): boolean =>
  wall_ms === undefined ? isAlive(changes, agent, facts) : facts.now.wall_ms - wall_ms < LATELY_MS;

/** More checkouts than are in use at a time. */
const CHECKOUTS_MAX = 256;
const KEPT_MS = 30 * LATELY_MS;

/** Adds the linked worktrees of these paths to the checkouts that are looked through. */
export function noteCheckouts(changes: Changes, paths: readonly RepoPath[], { now }: Facts): void {
  const ids = worktreesOf(paths);
  if (ids.length === 0) return;
  const known = new Map(Object.entries(asCheckouts(changes.get(CHECKOUTS))));
  const news = ids.filter((id) => !(Math.abs(now.wall_ms - (known.get(id) ?? 0)) < LATELY_MS));
  if (news.length === 0) return;
  for (const id of news) known.set(id, now.wall_ms);
  const kept = [...known]
    .filter(([, at]) => now.wall_ms - at < KEPT_MS)
    .sort(([, a], [, b]) => b - a)
    .slice(0, CHECKOUTS_MAX);
  changes.set(CHECKOUTS, Object.fromEntries(kept));
}
