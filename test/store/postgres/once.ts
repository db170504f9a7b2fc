/** What all test files of a run share, in the run's shared directory (test/build.ts). */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export const RUN = process.env['GUARD_TEST_RUN'] ?? '';
export const OWNER = Number(process.env['GUARD_TEST_RUN_PID'] ?? process.pid);

/** Made once per run by the first caller; the others wait for it. */
export async function once<T>(name: string, make: () => T | Promise<T>): Promise<T> {
  const [claim, done] = [`${RUN}/${name}.claim`, `${RUN}/${name}.json`];
  try {
    mkdirSync(claim);
  } catch {
    for (let tries = 0; !existsSync(done); tries++) {
      if (tries > 1200) throw new Error(`${name} was not started`);
      await sleep(50);
    }
    return JSON.parse(readFileSync(done, 'utf8')) as T;
  }
  const made = await make();
  writeFileSync(`${claim}/made`, JSON.stringify(made));
  renameSync(`${claim}/made`, done);
  return made;
}
