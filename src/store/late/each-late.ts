/** Processes the files of late events one by one: removes those that were recorded and sets aside those that cannot be. */
import { existsSync, lstatSync, renameSync, rmdirSync } from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import { monotonicUs, wallMs } from '../../repo/clock.ts';
import { LATE, makeDir, removeFile } from '../embedded/files.ts';
import { asFailure } from '../failure.ts';
import { lateDir, lateFiles, type LateStep, UNREAD } from './late-file.ts';

/** After this long, the process that was writing it has died or failed. */
const SCRATCH_MS = 60_000;

export interface LateWork {
  /** Sort key of an event; those with equal keys are processed in the order in which they were left. */
  readonly order: (step: LateStep) => number;
  /** Records the event. False: no rule can process it. */
  readonly isTold: (step: LateStep) => boolean;
}

/** @throws whatever `isTold` throws; the remaining files are left to the next caller */
export function eachLate(state_dir: string, { order, isTold }: LateWork): void {
  const dir = lateDir(state_dir);
  // A link's target is not ours to move, so set the link itself aside.
  if (lstatSync(dir, { throwIfNoEntry: false })?.isDirectory() === false) setAside(state_dir, LATE, dir);
  const found = lateFiles(state_dir);
  for (const { name, kind } of found)
    if (kind === 'odd') setAside(state_dir, name);
    else if (kind === 'scratch' && isOld(`${dir}/${name}`)) attempt(() => removeFile(`${dir}/${name}`), null);
  const steps = found.flatMap((one) => (one.kind === 'step' ? [one] : []));
  steps.sort((a, b) => order(a.step) - order(b.step) || a.step.left_us - b.step.left_us);
  for (const { name, step } of steps)
    if (isTold(step)) remove(`${dir}/${name}`);
    else setAside(state_dir, name);
  // Fails if others have left something in the meantime.
  attempt(() => rmdirSync(dir), null);
}

/** Also true for a time in the future, which means that the clock was set back. */
const isOld = (file: string): boolean =>
  attempt(() => Math.abs(wallMs() - lstatSync(file).mtimeMs) > SCRATCH_MS, false);

function remove(path: string): void {
  try {
    removeFile(path);
  } catch (error) {
    throw asFailure(error, `remove ${path}`, { path });
  }
}

/** Never overwrites a file that is there under the same name. */
function setAside(dir: string, name: string, from = `${lateDir(dir)}/${name}`): void {
  attempt(() => {
    makeDir(`${dir}/${UNREAD}`);
    const to = `${dir}/${UNREAD}/${name}`;
    renameSync(from, existsSync(to) ? `${to}.${monotonicUs()}` : to);
  }, null);
}
