/** The lock tools as a table: what each is called, says of itself, takes and does. */
import type { z } from 'zod';
import { tryLocks } from '../locks/try.ts';
import type { AcquireOptions, Caller } from '../locks/try.ts';
import { releaseAllLocks, releaseLocks } from '../locks/release.ts';
import type { LockLedger } from '../locks/ledger.ts';
import { statusOfLocks } from '../locks/status.ts';
import { waitForLocks } from '../locks/wait.ts';
import type { Waiting } from '../locks/wait.ts';
import type { LockTool } from '../core/lock-tools.ts';
import { RELEASE, RELEASE_ALL, STATUS, TRY, WAIT } from './shapes.ts';
import type { LeaseInput } from './shapes.ts';

/** One call, with everything that it acts on. */
export interface Call {
  readonly ledger: LockLedger;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly onWaiting: (waiting: Waiting) => void;
}

export interface Tool {
  readonly name: LockTool;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly is_read_only: boolean;
  /** @param input as the schema left it */
  run(input: unknown, call: Call): object | Promise<object>;
}

/** Ties a tool's input to its schema. */
function tool<S extends z.ZodObject>(
  about: Omit<Tool, 'input' | 'run' | 'is_read_only'> & { readonly is_read_only?: boolean },
  input: S,
  run: (input: z.output<S>, call: Call) => object | Promise<object>,
): Tool {
  return { is_read_only: false, ...about, input, run: (given, call) => run(input.parse(given), call) };
}

const leaseOf = ({ shared, ttl_seconds, all_or_nothing }: LeaseInput): AcquireOptions => ({
  mode: shared ? 'shared' : 'exclusive',
  ttl_ms: ttl_seconds === undefined ? null : ttl_seconds * 1000,
  all: all_or_nothing,
});

export const TOOLS: readonly Tool[] = [
  tool(
    {
      name: 'lock_try',
      title: 'Lock files',
      description:
        'Locks files for you without waiting, before you edit them. Give ALL files you plan to modify in one call. ' +
        'The answer says file by file whether you got it ("acquired") and else who holds it ("holder"), why and until when. ' +
        'Files that are yours already stay yours. A file with "changed" is not as you read it: read it again before you edit it.',
    },
    TRY,
    (input, { ledger, caller }) => tryLocks(ledger, caller, input.filepaths, leaseOf(input)),
  ),
  tool(
    {
      name: 'lock_wait',
      title: 'Wait for files',
      description:
        'Locks files for you, waiting for those that others hold, at most timeout_seconds for each. Call it for files ' +
        'that lock_try did not get. You keep what you got when another file timed out. ' +
        '"error": "DEADLOCK" says that you must let go first: do what "release" says.',
    },
    WAIT,
    (input, { ledger, caller, signal, onWaiting }) =>
      waitForLocks(
        ledger,
        caller,
        input.filepaths,
        { ...leaseOf(input), timeout_ms: input.timeout_seconds * 1000 },
        { signal, onWaiting },
      ),
  ),
  tool(
    {
      name: 'lock_release',
      title: 'Unlock files',
      description:
        'Gives files back so that others can edit them. Call it as soon as you are done with them. ' +
        'Releasing what you do not hold succeeds; nobody else’s lock is touched. "still_reserved" names reservations ' +
        'of yours that keep a file: give those back with release_files.',
    },
    RELEASE,
    (input, { ledger, caller }) => releaseLocks(ledger, caller.who, input.filepaths),
  ),
  tool(
    {
      name: 'lock_status',
      title: 'Look at locks',
      description:
        'Who holds or has reserved these files, and whether it is you; without files every lock and reservation. Changes nothing.',
      is_read_only: true,
    },
    STATUS,
    (input, { ledger, caller }) => statusOfLocks(ledger, caller.who.id, input.filepaths),
  ),
  tool(
    {
      name: 'lock_release_all',
      title: 'Unlock everything',
      description:
        'Gives back every file you have locked, and ends your waits. The answer is how many it were.',
    },
    RELEASE_ALL,
    (_, { ledger, caller }) => releaseAllLocks(ledger, caller.who),
  ),
];
