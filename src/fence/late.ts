/**
 * A mark around a commit: what died between the ledger and `held` would be refused, or not be refused, for as long as its
 * holder works. Whoever finds the mark under the ledger's lock makes `held` anew. Nothing here throws.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';
import { fenceDir } from './site.ts';

const fileOf = (state_dir: string): string => `${fenceDir(state_dir)}/late`;

export const isLate = (state_dir: string): boolean => existsSync(fileOf(state_dir));

/** On a full disk the ledger cannot be written either, and says so. */
export const markLate = (state_dir: string): void =>
  attempt(() => writeFileSync(fileOf(state_dir), '', { mode: 0o600 }), undefined);

/** Where it stays, `held` is made anew once more. */
export const clearLate = (state_dir: string): void =>
  attempt(() => rmSync(fileOf(state_dir), { force: true }), undefined);
