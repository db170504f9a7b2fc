/** Every sentence a denial says, in one place. Hooks load it when they deny. */
import { sibling } from './lock-tools.ts';
import { shellWord } from './shell-word.ts';
import type { Objection, Step } from './denial.ts';
import type { Shown } from './shown.ts';
import type { AgentId, Digest, Mode } from './types.ts';

const READ_AGAIN = "Perform a new 'read_file' to see the latest changes before attempting to write again.";

/** Clients before 2.1.330 may answer a plain Read "unchanged since your last Read", and show nothing (docs/promises.md). */
const readStep = (at: Shown): Step => ({
  order: 'read',
  text: `Read ${at.abs} again, with offset and limit if it is said to be unchanged`,
});
const lockStep = ({ lock_tool, guard, abs }: Shown): Step => ({
  order: 'lock',
  text: lock_tool
    ? `${lock_tool} ${JSON.stringify({ filepaths: [abs] })}`
    : `${guard} lock try ${shellWord(abs)}`,
});
const waitStep = ({ lock_tool, guard, abs }: Shown): Step => ({
  order: 'wait',
  text: lock_tool
    ? `${sibling(lock_tool, 'lock_wait')} ${JSON.stringify({ filepaths: [abs], timeout_seconds: WAIT_S })}`
    : `${guard} lock wait ${shellWord(abs)}`,
});
/** Asking the holder; whoever sees this fills in why. */
const askStep = ({ lock_tool, guard, abs }: Shown, holder: AgentId): string =>
  lock_tool
    ? `${sibling(lock_tool, 'negotiate_release')} ${JSON.stringify({ agent_name: holder, file: abs, reason: '…' })}`
    : `${guard} negotiate request ${shellWord(abs)} --of ${shellWord(holder)} --reason '…'`;

/** As long as the command waits for one file by itself. */
const WAIT_S = 30;

export interface StaleFacts {
  readonly baseline_hash: Digest | null;
  readonly current_disk_hash: Digest | null;
  readonly cause: 'modified' | 'target_missing' | 'unverified_read';
  /** An AgentId, or `outside`: no guarded write left this content. */
  readonly changed_by: string;
}

export const staleFile = (at: Shown, facts: StaleFacts): Objection => ({
  error_type: 'STALE_FILE',
  path: at.abs,
  message: 'File modified by another actor. Re-read required.',
  details: { ...facts },
  recovery_hint: READ_AGAIN,
  next: [readStep(at)],
});

export const unreadFile = (
  at: Shown,
  facts: { readonly current_disk_hash: Digest | null; readonly changed_by: string },
): Objection => ({
  error_type: 'UNREAD_FILE',
  path: at.abs,
  message: `File ${at.abs} has content that you have not seen. Read it before writing.`,
  details: { ...facts },
  recovery_hint: READ_AGAIN,
  next: [readStep(at)],
});

export const notLocked = (at: Shown): Objection => ({
  error_type: 'NOT_LOCKED',
  path: at.abs,
  message: at.lock_tool
    ? `File ${at.abs} is not locked. Use lock_try tool with filepaths: ${JSON.stringify([at.abs])}`
    : `File ${at.abs} is not locked. Acquire the lock with: ${lockStep(at).text}`,
  details: {},
  recovery_hint: at.lock_tool
    ? `Call this tool, then write again: ${lockStep(at).text}`
    : `Run this command with the Bash tool, then write again: ${lockStep(at).text}`,
  next: [lockStep(at)],
});

export interface HolderFacts {
  readonly holder: AgentId;
  readonly holders: readonly AgentId[];
  readonly mode: Mode;
  readonly since: string;
  readonly expires_at: string;
  /** Of a lock: what its holder is at, and for how long it said nothing. */
  readonly holder_state?: string;
  readonly silent_ms?: number;
  /** Of a reservation: its id, its glob, and what it is for. */
  readonly id?: string;
  readonly pattern?: string;
  readonly reason?: string;
}

export const lockedByOther = (at: Shown, facts: HolderFacts): Objection => ({
  error_type: 'LOCKED_BY_OTHER',
  path: at.abs,
  message: `File ${at.abs} is locked by ${facts.holder}.`,
  details: { ...facts, ask: askStep(at, facts.holder) },
  recovery_hint: `Work on something else, wait for the lock with: ${waitStep(at).text}, or ask its holder with: ${askStep(at, facts.holder)}`,
  next: [waitStep(at), readStep(at)],
});

export const writeInFlight = (
  at: Shown,
  facts: { readonly holder: AgentId; readonly since: string },
): Objection => ({
  error_type: 'WRITE_IN_FLIGHT',
  path: at.abs,
  message: `${facts.holder} is writing ${at.abs} at this moment.`,
  details: { ...facts },
  recovery_hint: 'Try again in a moment; read the file again first, because it is about to change.',
  next: [readStep(at)],
});

export const protectedPath = (at: Shown, reason: string): Objection => ({
  error_type: 'PROTECTED_PATH',
  path: at.abs,
  message: `${at.abs} keeps this repository guarded: ${reason}`,
  details: { reason },
  recovery_hint: 'Leave this file as it is; a person can change it from a terminal.',
  next: [{ order: 'other', text: 'Ask the user to make this change' }],
});

export const guardError = (
  at: Shown,
  failure: { readonly code: string; readonly message: string; readonly hint: string },
): Objection => ({
  error_type: 'GUARD_ERROR',
  path: at.abs,
  message: `guard cannot judge this write, so it is denied: ${failure.message}`,
  details: { code: failure.code, cause: failure.message },
  recovery_hint: `${failure.hint.replace(/[^.]$/, '$&.')} "${at.guard} doctor" says more.`,
  next: [{ order: 'other', text: `${at.guard} doctor` }],
});
