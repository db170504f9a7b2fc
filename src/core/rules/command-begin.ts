// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * PreToolUse of a command line that writes: checked against what others hold and write and, for files that git tracks,
 * also against what its agent has seen, as Write is (promises P1 to P4). What is free it leases itself until it ends.
 */
import { heldBelow, heldInGit, workOfOthers } from '../command-words.ts';
import { isIntentLive } from '../alive.ts';
import type { Objection } from '../denial.ts';
import { spelledGitName } from '../git-names.ts';
import type { View } from '../ledger.ts';
import { lockedByOther, notLocked, writeInFlight } from '../messages.ts';
import { shownAt } from '../shown.ts';
import { rfc3339 } from '../rfc3339.ts';
import type { Facts, RepoPath } from '../types.ts';
import { atWork } from './agent.ts';
import { bySource } from './by-source.ts';
import { approve } from './command-approve.ts';
import { judgeBaseline } from './baseline.ts';
import type { Area, CommandBeginEvent, CommandFile, CommandVerdict } from './command-event.ts';
import { authorsOf, holderOf, type Other, othersIn } from './command-others.ts';
import { areaMeant, FILES_MAX, viewFor } from './command-view.ts';
import { findDeadlocks } from './deadlock.ts';
import { deadlockObjections } from './deadlock-denial.ts';
import { mayWait } from './edges.ts';
import { claim, coveringHold, isHolder, isReserved } from './lease.ts';
import { noteOwnWorktree } from './own-worktree.ts';
import { reject } from './write-reject.ts';
import type { WriteBeginEvent } from './write-event.ts';
import { transactionOf } from './opened.ts';
import { type Acting, answer, type Step, type Transaction } from './transaction.ts';

/** Everything that is needed to decide about a command line. */
interface Judged extends Transaction {
  readonly event: CommandBeginEvent;
  readonly seen: ReturnType<typeof viewFor>;
}

export function beginCommand(view: View, event: CommandBeginEvent, given: Facts): Step<CommandVerdict> {
  const judged = judgedFrom(view, event, given);
  const { seen, changes, agent, facts } = judged;
  // The same call again: settings and plugin may both run this hook.
  const open = agent.commands?.find(({ id }) => id === event.op);
  if (open && event.targets.every(({ path, is_written }) => !is_written || open.paths.includes(path)))
    return answer(judged, { verdict: 'approved', strangers: [] });
  if (event.targets.some(({ path, known }) => known && changes.path(path).touched !== known.seen_touched))
    return { records: [], result: { verdict: 'retry' } };
  const isKnown = (path: RepoPath): boolean => seen.known === null || seen.known.has(path);
  const { remembers } = event;
  const me = { id: agent.id, joined_lsn: agent.joined_lsn, ...(remembers ? { remembers } : {}) };
  const git = event.git.filter(({ path }) => isKnown(path));
  const authors = authorsOf(changes, git, me, facts);
  if (authors.unsure.length > 0) return { records: [], result: { verdict: 'look', paths: authors.unsure } };
  const doomed =
    changes.wait(agent.id).verdicts === undefined
      ? []
      : deadlockObjections(changes, agent.id, event.targets, facts);
  const objections = [
    ...event.objections,
    ...event.targets.flatMap((file) => judgeFile(judged, file).flatMap(({ objection }) => objection ?? [])),
    ...judged.event.areas.flatMap((area) => judgeArea(judged, area)),
    ...judgeGit(judged),
    ...workOf(judged, authors.theirs),
    ...event.resources.flatMap((path) => judgeResource(judged, path)),
    ...doomed,
  ];
  if (objections.length > 0) return reject({ ...judged, event: asWrite(judged) }, objections);
  approve(judged);
  // A lease that the command took may close a cycle.
  if (mayWait(changes, agent)) findDeadlocks(judged, []);
  return answer(judged, { verdict: 'approved', strangers: authors.strangers });
}

/** With its agent at work, in the worktree that was created for it. */
function judgedFrom(view: View, event: CommandBeginEvent, given: Facts): Judged {
  const { who, worktree } = event;
  const asked = { ...event, areas: event.areas.map((area) => areaMeant(view, area)) };
  const facts = worktree ? noteOwnWorktree(view, { who, worktree }, given) : given;
  const seen = viewFor(view, asked, facts);
  const tx = transactionOf(seen.view, who, facts);
  return { ...tx, seen, event: asked, agent: atWork(tx.changes, tx.agent, facts) };
}

/** One rule's answer about one file; `objection` is `null` if it has none. */
export interface FileJudgement {
  readonly rule: 'path' | 'baseline' | 'write_in_flight' | 'lease';
  readonly path: RepoPath;
  readonly objection: Objection | null;
}

function judgeFile(judged: Judged, file: CommandFile): readonly FileJudgement[] {
  const { changes, agent, event, facts } = judged;
  const { path, abs, known, objections } = file;
  if (objections.length > 0) return objections.map((objection) => ({ rule: 'path', path, objection }));
  const at = shownAt(abs, path, facts);
  const life = { ...agent, ...event.home };
  const { intent } = changes.path(path);
  const isBusy = isIntentLive(changes, intent, facts) && intent.agent !== agent.id;
  return [
    { rule: 'path', path, objection: null },
    {
      rule: 'baseline',
      path,
      objection: known && judgeBaseline(at, life, { ...known, state: changes.path(path) }, facts),
    },
    {
      rule: 'write_in_flight',
      path,
      objection: isBusy
        ? writeInFlight(at, { holder: intent.agent, since: rfc3339(intent.since_wall_ms) })
        : null,
    },
    { rule: 'lease', path, objection: judgeLease(judged, file) },
  ];
}

function judgeLease(tx: Acting, { path, abs, known, is_written }: CommandFile): Objection | null {
  const { changes, agent, facts } = tx;
  const { enforcement, commands } = facts.policy;
  if (enforcement === 'off' || coveringHold(changes, path, agent.id, facts) !== undefined) return null;
  const at = shownAt(abs, spelledGitName(path) ?? path, facts);
  const claimed = claim(tx, path, 'exclusive');
  if (claimed.verdict === 'blocked') {
    const { holder, holders, mode, since, expires_at, outlook, reservation } = claimed.blocked;
    const state = outlook === undefined ? {} : { holder_state: outlook.holder_state };
    return lockedByOther(at, { holder, holders, mode, since, expires_at, ...state, ...reservation });
  }
  const mustHold = known !== null && is_written && enforcement === 'required' && commands === 'required';
  return mustHold && !isReserved(claimed) ? notLocked(at) : null;
}

const asHeld = (others: readonly Other[], { spelled }: Facts) =>
  others.map((one) => ({ ...one, abs: spelled?.(one.path) ?? one.path }));

function judgeArea(judged: Judged, area: Area): readonly Objection[] {
  const { changes, agent, facts, seen } = judged;
  const { held } = seen;
  const others = othersIn(judged, area, held);
  if (others.length === 0) return [];
  const mine = held.filter((path) => area.covers(path) && isHolder(changes, path, agent.id, facts));
  const spelled = mine.map((path) => facts.spelled?.(path) ?? path);
  return [heldBelow(shownAt(area.abs, area.abs, facts), area, asHeld(others, facts), spelled)];
}

function judgeGit(judged: Judged): readonly Objection[] {
  const { event, facts, seen } = judged;
  const may_be = new Set(seen.held);
  const isSeen = (path: RepoPath): boolean => event.git.length <= FILES_MAX || may_be.has(path);
  const found = event.git
    .filter(({ path, on_disk }) => on_disk && isSeen(path))
    .flatMap((file) => {
      const other = holderOf(judged, file.path);
      return other === null ? [] : [{ file, other }];
    });
  return [...bySource(found)].map(([source, files]) => {
    const [first] = files as readonly [(typeof files)[number]];
    const narrower = first.file.narrower(files.map(({ file }) => file.abs));
    const list = files.map(({ file, other }) => ({ ...other, abs: file.abs }));
    return heldInGit(shownAt(first.file.abs, first.file.path, facts), source, list, narrower);
  });
}

function workOf({ facts }: Judged, theirs: ReturnType<typeof authorsOf>['theirs']): readonly Objection[] {
  return [...bySource(theirs)].map(([source, works]) => {
    const [first] = works as readonly [(typeof works)[number]];
    const narrower = first.file.narrower(works.map(({ file }) => file.abs));
    const lost = works.map(({ file, author }) => ({
      abs: file.abs,
      author,
      is_staged: file.loses === 'staged',
    }));
    return workOfOthers(shownAt(first.file.abs, first.file.path, facts), source, lost, narrower);
  });
}

function judgeResource(judged: Judged, path: RepoPath): readonly Objection[] {
  const unknown = { known: null, is_written: false, digest: null, objections: [] };
  const objection = judgeLease(judged, { ...unknown, path, abs: spelledGitName(path) ?? path });
  if (objection === null) return [];
  return [{ ...objection, next: objection.next.filter(({ order }) => order !== 'read') }];
}

/** The part of it that a refusal records. */
function asWrite({ event }: Judged): WriteBeginEvent {
  const { who, op, tool, home, reads } = event;
  const targets = event.targets.map(({ path, abs, known }) => ({
    path,
    abs,
    disk: known?.disk ?? { state: 'missing' as const, digest: null, ctime_ms: 0 },
    form: null,
    baseline: null,
    seen_touched: 0,
    objections: [],
  }));
  return { type: 'write.begin', who, op, tool, home, targets, ...(reads ? { reads } : {}) };
}

/** Every rule's answer about every file of the line, for `guard explain`. Changes nothing. */
export function commandJudgements(
  view: View,
  event: CommandBeginEvent,
  given: Facts,
): Step<readonly FileJudgement[]> {
  const judged = judgedFrom(view, event, given);
  return { records: [], result: event.targets.flatMap((file) => judgeFile(judged, file)) };
}
