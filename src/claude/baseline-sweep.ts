/** Removes the baselines of agents that were not heard of for a month. At the start of a session, a few at a time. */
import fs from 'node:fs';
import { attempt } from '../core/attempt.ts';

const KEPT_MS = 30 * 24 * 3_600_000;
/** SessionStart has no deadline of its own, but people wait for it. */
const AT_A_TIME = 20;

export function sweepBaselines(state_dir: string, wall_ms: number): void {
  const dir = `${state_dir}/baselines`;
  for (const name of namesIn(dir)
    .filter((entry) => isOld(`${dir}/${entry}`, wall_ms))
    .slice(0, AT_A_TIME)) {
    fs.rmSync(`${dir}/${name}`, { recursive: true, force: true });
  }
}

const namesIn = (dir: string): string[] => attempt(() => fs.readdirSync(dir), []);

/** A directory's time changes with every baseline that is replaced in it. */
function isOld(dir: string, wall_ms: number): boolean {
  const stat = fs.lstatSync(dir, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && wall_ms - stat.mtimeMs > KEPT_MS;
}
