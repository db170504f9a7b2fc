/**
 * The marker with which `guard uninstall` and `guard init` pass guard's own ConfigChange veto in running sessions. It
 * names the files with the exact content they are about to get, and ends soon: meanwhile no other change of these files
 * passes.
 */
import type { Digest, Now } from '../types.ts';

export interface VettedFile {
  /** Absolute, links resolved. */
  readonly file: string;
  /** SHA-256 of the content that guard writes; `null` if guard removes the file. */
  readonly digest: Digest | null;
}

export interface VetoPass {
  readonly until_wall_ms: number;
  readonly by: string;
  readonly files: readonly VettedFile[];
}

/** The client notices a changed settings file within 2 s; a busy machine may take longer. */
export const VETO_PASS_MS = 60_000;

/** A pass that lasts longer than guard's own was not made by guard. */
export const isRunning = ({ until_wall_ms }: VetoPass, { wall_ms }: Pick<Now, 'wall_ms'>): boolean =>
  wall_ms < until_wall_ms && until_wall_ms - wall_ms <= VETO_PASS_MS;

export const passCovers = ({ files }: VetoPass, { file, digest }: VettedFile): boolean =>
  files.some((vetted) => vetted.file === file && vetted.digest === digest);
