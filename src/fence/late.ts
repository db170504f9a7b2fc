/**
 * A mark around a commit. If a process dies between updating the ledger and updating `held`, the fence would be wrong
 * for as long as the holder works. Whoever finds the mark under the ledger's lock rebuilds `held`. Nothing here throws.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';
import { fenceDir } from './site.ts';

const fileOf = (state_dir: string): string => `${fenceDir(state_dir)}/late`;

export const isLate = (state_dir: string): boolean => existsSync(fileOf(state_dir));

/** On a full disk the ledger cannot be written either, and reports that. */
export const markLate = (state_dir: string): void =>
  attempt(() => writeFileSync(fileOf(state_dir), '', { mode: 0o600 }), undefined);

/** If the mark cannot be removed, `held` is merely rebuilt once more. */
export const clearLate = (state_dir: string): void =>
  attempt(() => rmSync(fileOf(state_dir), { force: true }), undefined);
