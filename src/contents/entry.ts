/**
 * Contents of files by their digest, beside the ledger: `contents/<digest>` as it was, `contents/<digest>.z` deflated
 * (decision 134). One directory, 0700; entries 0600, written aside and renamed, so a name never stands for half of a content.
 */
import type { Digest } from '../core/types.ts';

export const contentsDir = (state_dir: string): string => `${state_dir}/contents`;
export const PACKED = '.z';

export interface EntryName {
  readonly digest: Digest;
  readonly is_packed: boolean;
}

/** Null for what is no entry: something written aside, or not guard's. */
export function entryOf(name: string): EntryName | null {
  const [, digest, packed] = /^([0-9a-f]{64})(\.z)?$/.exec(name) ?? [];
  return digest === undefined ? null : { digest, is_packed: packed !== undefined };
}
