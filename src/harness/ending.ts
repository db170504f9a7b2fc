/** How an agent ended, from what its client said and how its process went. Pure. */
import type { Exceeded } from '../core/agent-limits.ts';
import type { Needs } from '../core/needs.ts';
import type { DraftState, Ending } from '../core/drafts.ts';
import { apiErrorInWords } from './api-trouble.ts';
import { shortenedResult } from './final-block.ts';
import { neverStarted, UNREPORTED } from './lost.ts';
import { countedRefusals } from './not-allowed.ts';
import { type Final, NOTHING_YET, type Progress } from './progress.ts';

/** Kept in the ledger; the log has all of it. */
const OUTPUT_CHARS = 2_000;
const WORDS_CHARS = 300;
const REFUSALS_MAX = 50;

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
  /** What ran in its background when guard had seen enough: a client that is told to end ends that first, and says so. */
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
export const lastOutput = (
  { text }: Pick<Progress, 'text'>,
  { stderr }: Pick<ProcessEnd, 'stderr'>,
): string => (text === '' ? stderr.trim() : text).slice(-OUTPUT_CHARS);

/** What it asks in its report is what it still has to know then; without one, what it asked. Null: nothing. */
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
  // It was done before the word reached it.
  if (final !== null && !final.is_error && end.exit_code === 0) return DONE;
  // Nobody waits for more words of an agent that has reported. One that has not waited for what it left in the background.
  const is_reported = is_done || at.report !== null;
  // Its turn was over, and with it all that it had to do: a client whose input was open ends when it is told so.
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
