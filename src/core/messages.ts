// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * The texts for denials of a single write. Texts for command lines are in command-words.ts, for git's acts in
 * git-words.ts, for a push in push-words.ts, for a deadlock in deadlock-words.ts, and for a role's tools in
 * policy/role.ts: each is loaded only by the few hooks that deny for that reason. No other file contains a denial's
 * text.
 */
import { type Gone, goneFacts, hintOfGone, stepsOfGone } from './gone.ts';
import { sibling } from './lock-tools.ts';
import { shellWord } from './shell-word.ts';
import type { Objection, DenialStep } from './denial.ts';
import type { ShownFile } from './shown.ts';
import type { AgentId, Digest, Mode, Policy } from './types.ts';

const READ_AGAIN = "Perform a new 'read_file' to see the latest changes before attempting to write again.";

/** Clients before 2.1.330 may answer a Read "unchanged since your last Read" without content (docs/promises.md). */
const readStep = (at: ShownFile): DenialStep => ({
  order: 'read',
  text: `Read ${at.abs} again, with offset and limit if it is said to be unchanged`,
});
const lockStep = ({ lock_tool, guard, abs }: ShownFile, files: readonly string[] = [abs]): DenialStep => ({
  order: 'lock',
  text: lock_tool
    ? `${lock_tool} ${JSON.stringify({ filepaths: files })}`
    : `${guard} lock try ${files.map(shellWord).join(' ')}`,
});
const waitStep = ({ lock_tool, guard, abs }: ShownFile): DenialStep => ({
  order: 'wait',
  text: lock_tool
    ? `${sibling(lock_tool, 'lock_wait')} ${JSON.stringify({ filepaths: [abs], timeout_seconds: WAIT_S })}`
    : `${guard} lock wait ${shellWord(abs)}`,
});
/** For agents that have not read the file yet and for those that have, whose knowledge will be outdated. */
const readThen = ({ abs }: ShownFile): DenialStep => ({ order: 'read', text: `Read ${abs}` });
/** Path and holder are in the details; repeating them here would make up a third of the text. */
const howToAsk = ({ lock_tool, guard }: ShownFile): string =>
  lock_tool
    ? `${sibling(lock_tool, 'negotiate_release')} {"agent_name":"HOLDER","file":"FILE","reason":"WHY"}`
    : `${guard} negotiate request FILE --of WHO --reason WHY`;

/** The command's own default timeout for one file. */
const WAIT_S = 30;

export interface StaleFacts {
  readonly baseline_hash: Digest | null;
  readonly current_disk_hash: Digest | null;
  readonly cause: 'modified' | 'target_missing' | 'unverified_read';
  /** An AgentId, or `outside` if no guarded write left this content. */
  readonly changed_by: string;
}

/** `gone`: set if the file was read in this turn and no longer exists. */
export function staleFile(
  at: ShownFile,
  facts: StaleFacts,
  gone?: Gone,
  enforcement?: Policy['enforcement'],
): Objection {
  const stale: Objection = {
    error_type: 'STALE_FILE',
    path: at.abs,
    message: 'File modified by another actor. Re-read required.',
    details: { ...facts },
    recovery_hint: READ_AGAIN,
    next: [readStep(at)],
  };
  if (gone === undefined) return stale;
  const details = { ...facts, hint: hintOfGone(at.abs, gone), ...goneFacts(gone) };
  const { moved_to } = gone;
  if (moved_to === undefined) return { ...stale, details, next: stepsOfGone(at.abs, gone) };
  const there: ShownFile = { abs: moved_to, path: at.path, guard: at.guard, lock_tool: at.lock_tool ?? null };
  const lock = enforcement === 'required' ? [lockStep(there)] : [];
  return { ...stale, details, next: [...lock, readThen(there)], is_all: true };
}

export const unreadFile = (
  at: ShownFile,
  facts: { readonly current_disk_hash: Digest | null; readonly changed_by: string },
): Objection => ({
  error_type: 'UNREAD_FILE',
  path: at.abs,
  message: `File ${at.abs} has content that you have not seen. Read it before writing, by Bash too.`,
  details: { ...facts },
  recovery_hint: READ_AGAIN,
  next: [readStep(at)],
});

export const notLocked = (at: ShownFile): Objection => ({
  error_type: 'NOT_LOCKED',
  path: at.abs,
  message: at.lock_tool
    ? `File ${at.abs} is not locked. Use lock_try tool with filepaths: ${JSON.stringify([at.abs])}`
    : `File ${at.abs} is not locked. Acquire the lock with: ${lockStep(at).text}`,
  details: {},
  recovery_hint: `${doNext(at)}, then write again.`,
  next: [lockStep(at)],
  lead: 'Lock it first, then read.',
});

const doNext = ({ lock_tool }: ShownFile): string =>
  lock_tool ? 'Make the call in details.next' : 'Run the command in details.next with the Bash tool';

/** NOT_LOCKED with one step for everything that the agent is likely to write. `files`: absolute, in locking order. */
export const lockTogether = (
  objection: Objection,
  { at, files }: { readonly at: ShownFile; readonly files: readonly string[] },
): Objection => ({
  ...objection,
  recovery_hint: `${doNext(at)}: it names what you read; leave out what you will not change. Then write again.`,
  next: [lockStep(at, files)],
});

/** NOT_LOCKED for a file that a denial just named together with others; repeating that text would be long. */
export const lockAsTold = (objection: Objection): Objection => ({
  ...objection,
  message: 'This file is not locked either.',
  recovery_hint: 'As said before, all in one call.',
});

export interface HolderFacts {
  readonly holder: AgentId;
  readonly holders: readonly AgentId[];
  readonly mode: Mode;
  readonly since: string;
  /** When it will yield to another agent if its holder does nothing more. */
  readonly expires_at: string;
  /** For a lock: its holder's activity. */
  readonly holder_state?: string;
  /** For a reservation: its id, its glob and its reason. */
  readonly id?: string;
  readonly pattern?: string;
  readonly reason?: string;
}

/** For a command line: the reader already sees that Bash is checked. */
export const lockedByOther = (at: ShownFile, facts: HolderFacts): Objection =>
  lockedFor(at, facts, { by: 'Locked by another agent', now: 'Locked' });

/** For Edit and the like: agents denied there try Bash within a minute unless told that it is checked too. */
export const lockedByOtherToo = (at: ShownFile, facts: HolderFacts): Objection =>
  lockedFor(at, facts, { by: 'Locked by another agent, for Bash too', now: 'Locked for Bash too' });

/**
 * Sent often, so nothing is repeated: the holder, the file and the hint to wait are in the details, and `exclusive` is
 * implied.
 */
function lockedFor(
  at: ShownFile,
  facts: HolderFacts,
  words: { readonly by: string; readonly now: string },
): Objection {
  const { mode, holder_state, ...rest } = facts;
  const state = holder_state === undefined ? '' : ` (${holder_state})`;
  return {
    error_type: 'LOCKED_BY_OTHER',
    path: at.abs,
    message: holder_state === undefined ? `${words.by}.` : `${words.now}; ${holder_state}.`,
    details: { ...rest, ...(mode === 'exclusive' ? {} : { mode }) },
    recovery_hint: `Ask: ${howToAsk(at)}`,
    next: [waitStep(at), readThen(at)],
    lead: `Locked by ${facts.holder}${state}: wait for the lock first, then read.`,
  };
}

export const writeInFlight = (
  at: ShownFile,
  facts: { readonly holder: AgentId; readonly since: string },
): Objection => ({
  error_type: 'WRITE_IN_FLIGHT',
  path: at.abs,
  message: `${facts.holder} is writing ${at.abs} right now.`,
  details: { ...facts },
  recovery_hint: 'Try again in a moment; read the file again first, because it is about to change.',
  next: [readStep(at)],
  lead: `${facts.holder} is writing it right now: read it when that is done.`,
});

export const protectedPath = (at: ShownFile, reason: string): Objection => ({
  error_type: 'PROTECTED_PATH',
  path: at.abs,
  message: `${at.abs} is protected: ${reason}`,
  details: { reason },
  recovery_hint: 'Leave this file as it is, by Bash too; a person can change it from a terminal.',
  next: [{ order: 'other', text: 'Ask the user to make this change' }],
});

export const guardError = (
  at: ShownFile,
  failure: { readonly code: string; readonly message: string; readonly hint: string },
): Objection => ({
  error_type: 'GUARD_ERROR',
  path: at.abs,
  message: `guard cannot check this write, so it is denied: ${failure.message}`,
  details: { code: failure.code, cause: failure.message },
  recovery_hint: `${failure.hint.replace(/[^.]$/, '$&.')} "${at.guard} doctor" says more.`,
  next: [{ order: 'other', text: `${at.guard} doctor` }],
});

/** For a command, not a file: `abs` is where it would run. */
export const fenceMissing = (abs: string, why: string, remedy: string): Objection => ({
  error_type: 'FENCE_MISSING',
  path: abs,
  message: `This command may write, and the configuration requires a fence ("fence": "required") that this session does not have: ${why}.`,
  details: { why },
  recovery_hint:
    'Use Edit and Write, which need no fence, and commands that only read. A person can fix this: guard doctor.',
  next: remedy === '' ? [] : [{ order: 'other', text: remedy }],
});
