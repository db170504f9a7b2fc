/**
 * `guard replay`: plays recorded hook sessions in a scratch repository with real hook processes, and compares guard's
 * decisions with those recorded next to them.
 */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { GuardError, isGuardError } from '../core/error.ts';
import type { Fields } from '../claude/input.ts';
import { check, expectedText, parseExpected, type CheckedStep } from './expectation.ts';
import { makeMachine } from './machine.ts';
import { play, type Played } from './play.ts';
import { parseRecording, type Recording } from './recording.ts';
import { makeScratch } from './scratch.ts';

export interface ReplayOptions {
  /** The directory of the guard under test. */
  readonly root: string;
  /** Write the expected decisions instead of comparing. */
  readonly update: boolean;
  /** A recording without any expectation fails. */
  readonly ci: boolean;
  /** Arguments for `guard init` instead of the recording's, such as `--preset auto`. */
  readonly init?: readonly string[];
  /** guard.config.json for every recording that brings none. */
  readonly config?: Fields;
  /** Called after each recording, whatever its result. */
  readonly onPlayed?: () => void;
}

/**
 * `match`: every expectation was met. `mismatch`: one was not. `unrecorded`: nothing was expected. `updated`: recorded
 * now. `broken`: the recording cannot be played.
 */
export type ReplayVerdict = 'match' | 'mismatch' | 'unrecorded' | 'updated' | 'broken';

export interface Report {
  readonly file: string;
  readonly verdict: ReplayVerdict;
  readonly checks: readonly CheckedStep[];
  /** Set for a broken recording. */
  readonly error?: { readonly code: string; readonly message: string; readonly hint: string };
}

const EXPECTED = '.expected.jsonl';
const expectedFile = (file: string): string => file.replace(/(\.jsonl)?$/, EXPECTED);

/** Files as given, directories searched for `*.jsonl`, sorted. Throws GUARD_ERR_IO for a path that does not exist. */
export function recordingsIn(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat)
      throw new GuardError(
        'GUARD_ERR_IO',
        `${path} does not exist.`,
        'Name recordings, or directories of them.',
        { path },
      );
    if (!stat.isDirectory()) return [path];
    const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
    return names
      .filter((name) => name.endsWith('.jsonl') && !name.endsWith(EXPECTED))
      .sort()
      .map((name) => join(path, name));
  });
}

/** Plays recordings, as many in parallel as there are processors; the reports are in the order of the files. */
export async function replayFiles(
  files: readonly string[],
  options: ReplayOptions,
): Promise<readonly Report[]> {
  const reports: Report[] = [];
  const left = files.entries();
  const player = async (): Promise<void> => {
    for (const [index, file] of left) {
      reports[index] = await replayFile(file, options);
      options.onPlayed?.();
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, player));
  return reports;
}

/** Plays one recording. Its failures go into the report, and the next recording is still played. */
export async function replayFile(file: string, options: ReplayOptions): Promise<Report> {
  try {
    const recording = withOptions(parseRecording(readFileSync(file, 'utf8'), file), options);
    return judged(file, await playInScratch(recording, options.root), options);
  } catch (error) {
    return { file, verdict: 'broken', checks: [], error: failureOf(error) };
  }
}

/** A file system error (a directory where a file should be) is also a failure of the recording. */
function failureOf(error: unknown): NonNullable<Report['error']> {
  if (isGuardError(error)) return { code: error.code, message: error.message, hint: error.hint };
  if (!(error instanceof Error && 'syscall' in error)) throw error;
  return {
    code: 'GUARD_ERR_IO',
    message: error.message,
    hint: 'See docs/replay.md for what a recording may contain.',
  };
}

function withOptions(recording: Recording, { init, config }: ReplayOptions): Recording {
  const { setup } = recording;
  return { ...recording, setup: { ...setup, init: init ?? setup.init, config: setup.config ?? config } };
}

async function playInScratch(recording: Recording, root: string): Promise<readonly Played[]> {
  const scratch = makeScratch();
  const machine = makeMachine(root, scratch.places);
  try {
    return await play(recording, scratch, machine);
  } finally {
    machine.close();
    scratch.remove();
  }
}

function judged(file: string, played: readonly Played[], { update, ci }: ReplayOptions): Report {
  const beside = expectedFile(file);
  if (update) writeFileSync(beside, expectedText(played));
  const expected = existsSync(beside) ? parseExpected(readFileSync(beside, 'utf8'), beside) : null;
  const checks = check(played, expected);
  return { file, checks, verdict: verdictOf(checks, update, ci) };
}

function verdictOf(checks: readonly CheckedStep[], update: boolean, ci: boolean): ReplayVerdict {
  if (checks.some((one) => one.differs !== undefined)) return 'mismatch';
  if (update) return 'updated';
  if (checks.some((one) => one.isChecked)) return 'match';
  return ci ? 'mismatch' : 'unrecorded';
}

/** 0 if all agree, 1 if one does not, 2 if one cannot be played. */
export function exitCodeOf(reports: readonly Report[]): 0 | 1 | 2 {
  if (reports.some(({ verdict }) => verdict === 'broken')) return 2;
  return reports.some(({ verdict }) => verdict === 'mismatch') ? 1 : 0;
}
