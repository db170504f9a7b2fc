/**
 * The marker by which `guard uninstall` and `guard init` pass guard's own ConfigChange veto in running sessions.
 * It names the files and the exact content they are about to get, and ends soon: while it lasts, nobody else's change
 * of these files passes with it. Loaded by the hook bundle.
 */
import fs from 'node:fs';
import { join } from 'node:path';
import type { Digest, Now } from '../core/types.ts';
import { digestBytes } from '../repo/digest.ts';
import { realPath } from '../repo/real-path.ts';
import { textOf } from '../repo/small-file.ts';

export interface VettedFile {
  /** Absolute, links resolved. */
  readonly file: string;
  /** SHA-256 of the content that guard writes; null: it removes the file. */
  readonly digest: Digest | null;
}

export interface VetoPass {
  readonly until_wall_ms: number;
  readonly by: string;
  readonly files: readonly VettedFile[];
}

export const VETO_PASS_FILE = 'veto-pass.json';

/** The client notices a changed settings file within 2 s; a busy machine may take longer. */
export const VETO_PASS_MS = 60_000;

/** The pass that covers `file` as it is on disk now; null where there is none, it has ended, or it is for something else. */
export function readVetoPass(stateDir: string, file: string, now: Now): VetoPass | null {
  const pass = parse(join(stateDir, VETO_PASS_FILE));
  if (pass === null || now.wall_ms >= pass.until_wall_ms) return null;
  if (pass.until_wall_ms - now.wall_ms > VETO_PASS_MS) return null;
  try {
    const real = realPath(file);
    const entry = pass.files.find((vetted) => vetted.file === real);
    return entry !== undefined && entry.digest === digestNow(real) ? pass : null;
  } catch {
    return null;
  }
}

/** As large as guard edits. */
const MAX_BYTES = 33_554_432;

function digestNow(file: string): Digest | null {
  if (!fs.existsSync(file)) return null;
  const text = textOf(file, MAX_BYTES);
  if (text === null) throw new Error('not a file that guard wrote');
  return digestBytes(Buffer.from(text));
}

function parse(file: string): VetoPass | null {
  try {
    const value = JSON.parse(textOf(file, 65_536) ?? 'null') as Partial<VetoPass> | null;
    if (typeof value?.until_wall_ms !== 'number' || !Array.isArray(value.files)) return null;
    return { until_wall_ms: value.until_wall_ms, by: String(value.by), files: value.files };
  } catch {
    return null;
  }
}
