import type { Now } from '../core/types.ts';
import { digestBytes } from '../repo/digest.ts';
import { type FileChange, isChange } from './file-change.ts';
import { writeStateJson } from './state-json.ts';
import { VETO_PASS_MS, type VetoPass } from '../core/policy/pass.ts';
import { VETO_PASS_FILE } from './veto-pass.ts';

/** Lets exactly these changes pass guard's own ConfigChange veto in the sessions that are running now. */
export function grantVetoPass(
  stateDirs: readonly string[],
  changes: readonly FileChange[],
  by: string,
  now: Now,
): void {
  const files = changes
    .filter(isChange)
    .map(({ found, after }) => ({ file: found.target, digest: after === null ? null : digestBytes(after) }));
  if (files.length === 0) return;
  const pass: VetoPass = { until_wall_ms: now.wall_ms + VETO_PASS_MS, by, files };
  for (const dir of new Set(stateDirs)) writeStateJson(dir, VETO_PASS_FILE, pass);
}
