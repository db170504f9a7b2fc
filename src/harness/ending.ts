/** How an agent ended, from what its client reported and how its process exited. Pure. */
import type { Exceeded } from '../core/agent-limits.ts';
import type { Needs } from '../core/needs.ts';
import type { DraftState, Ending } from '../core/drafts.ts';
import { apiErrorInWords } from './api-trouble.ts';
import { shortenedResult } from './final-block.ts';
import { neverStarted, UNREPORTED } from '../core/lost.ts';
import { countedRefusals } from './not-allowed.ts';
import { type Final, NOTHING_YET, type Progress } from './progress.ts';

/** Characters kept in the ledger; the log has all of it. */
const OUTPUT_CHARS = 2_000;
const WORDS_CHARS = 300;
const REFUSALS_MAX = 50;

/** How the process exited; `error` if it never started. */
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
  /** What ran in its background when guard decided to end it. A client told to end stops those first, and reports that. */
  readonly background?: Progress['background'];
}

export function endingOf(at: Progress, end: ProcessEnd, stopped: Stopped): Ending {
  const { status, reason } = verdict(at, end, stopped);
  return {
    status,
    reason,
    exit_code: end.exit_code,
    signal: end.signal,
    last_output: lastOutput(at.report ?? at, end),
    result: resultOf(at),
    usage: at.usage,
    worktree: null,
    needs: needsOf(at),
    api_error: status === 'failed' ? (at.final?.api_error ?? null) : null,
    heard: at.heard,
    has_session: at.cwd !== '',
  };
}

function resultOf({ report, earlier }: Progress): Ending['result'] {
  const newest = report ?? earlier;
  return newest === null ? null : shortenedResult(newest.result);
}

/** The ending of an agent whose client never ran; `error` is what prevented it. */
export function failedToStart(error: unknown): Ending {
  const said = error instanceof Error ? error.message : String(error);
  return endingOf(NOTHING_YET, { ...NO_END, error: said }, { kill: null, exceeded: null });
}

/** The ending of an agent that was killed before its client ran. */
export const endedBefore = (kill: NonNullable<DraftState['kill']>): Ending =>
  endingOf(NOTHING_YET, NO_END, { kill, exceeded: null });

const NO_END: ProcessEnd = { exit_code: null, signal: null, error: null, stderr: '' };

/** The agent's last words, or else the client's. */
export const lastOutput = (
  { text }: Pick<Progress, 'text'>,
  { stderr }: Pick<ProcessEnd, 'stderr'>,
): string => (text === '' ? stderr.trim() : text).slice(-OUTPUT_CHARS);

/** Open questions are those in its report; without a report, all that it asked. `null` if it needs nothing. */
export function needsOf({ report, asked, refused }: Progress): Needs | null {
  const questions = report === null ? asked : shortenedResult(report.result).questions;
  const denials = countedRefusals(Object.values(refused).flat()).slice(0, REFUSALS_MAX);
  return questions.length + denials.length === 0 ? null : { questions, denials };
}

type Verdict = Pick<Ending, 'status' | 'reason'>;
const DONE: Verdict = { status: 'completed', reason: 'done' };

function verdict(at: Progress, end: ProcessEnd, stopped: Stopped): Verdict {
  const { kill, exceeded, background = at.background } = stopped;
  const { final, is_done } = at;
  // It was done before the request to end reached it.
  if (final !== null && !final.is_error && end.exit_code === 0) return DONE;
  // An agent that has reported owes no more output. One that has not was still waiting for its background.
  const is_reported = is_done || at.report !== null;
  // Its turn had ended and it had nothing left to do: a client with an open input ends only when it is told to.
  const is_through = at.is_idle && background.length === 0 && final?.is_error === false;
  if (exceeded !== null) {
    if (is_through || (exceeded.is_silence === true && is_reported)) return DONE;
    const { status, reason } = exceeded;
    return at.is_idle && final?.is_error === false
      ? { status, reason: `${reason}: ${UNREPORTED}` }
      : exceeded;
  }
  if (kill !== null) return { status: 'killed', reason: `${kill.reason} (by ${kill.by})` };
  if (final !== null && /max_(?:turns|budget)/.test(final.subtype))
    return { status: 'budget', reason: `the client stopped: ${final.text || final.subtype}` };
  if (is_done && final?.api_error != null) return DONE;
  return failed(final, end);
}

function failed(final: Final | null, { exit_code, signal, error, stderr }: ProcessEnd): Verdict {
  if (error !== null) return { status: 'failed', reason: neverStarted(error) };
  if (final?.api_error != null)
    return { status: 'failed', reason: apiErrorInWords(final.api_error, final.text.slice(0, WORDS_CHARS)) };
  const last =
    final?.is_error === true ? final.text || final.subtype : (stderr.trim().split('\n').at(-1) ?? '');
  const words = last === '' || last === 'success' ? '' : `: ${last.slice(0, WORDS_CHARS)}`;
  if (signal !== null) return { status: 'failed', reason: `its client was ended by ${signal}${words}` };
  const how = final === null ? 'ended' : 'failed';
  return { status: 'failed', reason: `its client ${how} with ${String(exit_code)}${words}` };
}
