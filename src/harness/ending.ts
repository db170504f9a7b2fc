/** How an agent ended, from what its client said and how its process went. Pure. */
import type { Exceeded } from '../core/agent-limits.ts';
import type { DraftState, Ending } from '../core/drafts.ts';
import { finalBlock, shortenedResult } from './final-block.ts';
import { NOTHING_YET, type Progress } from './stream.ts';

/** Kept in the ledger; the log has all of it. */
const OUTPUT_CHARS = 2_000;

/** How the process went; `error`: it never was one. */
export interface ProcessEnd {
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly error: string | null;
  readonly stderr: string;
}

/** Why guard ended it, if guard did. */
export interface Stopped {
  readonly kill: DraftState['kill'];
  readonly exceeded: Exceeded | null;
}

export function endingOf(at: Progress, end: ProcessEnd, stopped: Stopped): Ending {
  const result = finalBlock(at.text);
  const { status, reason } = verdict(at, end, stopped);
  return {
    status,
    reason,
    exit_code: end.exit_code,
    signal: end.signal,
    last_output: lastOutput(at, end),
    result: result === null ? null : shortenedResult(result),
    usage: at.usage,
    worktree: null,
  };
}

/** Of an agent whose client never ran; `error`: what kept it from that. */
export function failedToStart(error: unknown): Ending {
  const said = error instanceof Error ? error.message : String(error);
  return endingOf(NOTHING_YET, { ...NO_END, error: said }, { kill: null, exceeded: null });
}

/** Somebody ended it before its client ran. */
export const endedBefore = (kill: NonNullable<DraftState['kill']>): Ending =>
  endingOf(NOTHING_YET, NO_END, { kill, exceeded: null });

const NO_END: ProcessEnd = { exit_code: null, signal: null, error: null, stderr: '' };

/** The agent's last words, else the client's. */
export const lastOutput = ({ text }: Progress, { stderr }: Pick<ProcessEnd, 'stderr'>): string =>
  (text === '' ? stderr.trim() : text).slice(-OUTPUT_CHARS);

function verdict(
  { final }: Progress,
  { exit_code, signal, error, stderr }: ProcessEnd,
  { kill, exceeded }: Stopped,
): Pick<Ending, 'status' | 'reason'> {
  // It was done before the word reached it.
  if (final !== null && !final.is_error && exit_code === 0) return { status: 'completed', reason: 'done' };
  if (exceeded !== null) return exceeded;
  if (kill !== null) return { status: 'killed', reason: `${kill.reason} (by ${kill.by})` };
  if (final !== null && /max_(?:turns|budget)/.test(final.subtype))
    return { status: 'budget', reason: `the client stopped: ${final.subtype}` };
  if (error !== null) return { status: 'failed', reason: `it never started: ${error}` };
  const last = stderr.trim().split('\n').at(-1) ?? '';
  const words =
    final?.is_error === true ? `: ${final.subtype}` : last === '' ? '' : `: ${last.slice(0, 300)}`;
  if (signal !== null) return { status: 'failed', reason: `its client was ended by ${signal}${words}` };
  if (final === null)
    return { status: 'failed', reason: `its client ended with ${String(exit_code)}${words}` };
  return { status: 'failed', reason: `its client failed with ${String(exit_code)}${words}` };
}
