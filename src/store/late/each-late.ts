/** The files of what came too late, one after the other: what was written down goes, what nobody can use is put aside. */
import { existsSync, lstatSync, renameSync, rmdirSync } from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import { monotonicUs, wallMs } from '../../repo/clock.ts';
import { LATE, makeDir, removeFile } from '../embedded/files.ts';
import { asFailure } from '../failure.ts';
import { lateDir, lateFiles, type LateStep, UNREAD } from './late-file.ts';

/** Whoever wrote it is dead by then, or has failed. */
const SCRATCH_MS = 60_000;

export interface LateWork {
  /** Its place among the others; of one moment what was left first is the first. */
  readonly order: (step: LateStep) => number;
  /** False: no rule can make anything of it. */
  readonly isTold: (step: LateStep) => boolean;
}

/** @throws whatever `isTold` throws: what is left then is left to the next */
export function eachLate(state_dir: string, { order, isTold }: LateWork): void {
  const dir = lateDir(state_dir);
  // What a link leads to is nobody's to move.
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
  // Others may have left something meanwhile.
  attempt(() => rmdirSync(dir), null);
}

/** Or of a time that is not yet: the clock was set back. */
const isOld = (file: string): boolean =>
  attempt(() => Math.abs(wallMs() - lstatSync(file).mtimeMs) > SCRATCH_MS, false);

function remove(path: string): void {
  try {
    removeFile(path);
  } catch (error) {
    throw asFailure(error, `remove ${path}`, { path });
  }
}

/** Beside what is there by its name. */
function setAside(dir: string, name: string, from = `${lateDir(dir)}/${name}`): void {
  attempt(() => {
    makeDir(`${dir}/${UNREAD}`);
    const to = `${dir}/${UNREAD}/${name}`;
    renameSync(from, existsSync(to) ? `${to}.${monotonicUs()}` : to);
  }, null);
}
