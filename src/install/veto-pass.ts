/** Reads the marker that lets guard's own change to a settings file pass (core/policy/pass.ts). Loaded by the hook bundle. */
import { join } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { parsedObject } from '../core/json-object.ts';
import { isRunning, passCovers, type VetoPass } from '../core/policy/pass.ts';
import type { Digest, Now } from '../core/types.ts';
import { digestFile } from '../repo/digest.ts';
import { realPath } from '../repo/real-path.ts';
import { textOf } from '../repo/small-file.ts';

export const VETO_PASS_FILE = 'veto-pass.json';

/** The pass that covers `file` as it is on disk now; `null` if there is none, it has expired, or it covers something else. */
export function readVetoPass(stateDir: string, file: string, now: Now): VetoPass | null {
  const pass = parse(join(stateDir, VETO_PASS_FILE));
  if (pass === null || !isRunning(pass, now)) return null;
  return attempt(() => {
    const real = realPath(file);
    return passCovers(pass, { file: real, digest: digestNow(real) }) ? pass : null;
  }, null);
}

/** The file may have been replaced by a device: digestFile opens none. */
const digestNow = (file: string): Digest | null => digestFile(file, { deadline: () => undefined }).digest;

function parse(file: string): VetoPass | null {
  const { until_wall_ms, by, files } = parsedObject(textOf(file, 65_536)) as Partial<VetoPass>;
  return typeof until_wall_ms === 'number' && Array.isArray(files)
    ? { until_wall_ms, by: String(by), files }
    : null;
}
