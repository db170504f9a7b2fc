/**
 * Contents of files by their digest, next to the ledger: `contents/<digest>` unchanged, `contents/<digest>.z` deflated (decision
 * 134). One directory, 0700; entries 0600, written to a temporary file and renamed, so a name never refers to a partial content.
 */
import type { Digest } from '../core/types.ts';

export const contentsDir = (state_dir: string): string => `${state_dir}/contents`;
export const PACKED = '.z';

export interface EntryName {
  readonly digest: Digest;
  readonly is_packed: boolean;
}

/** Null if it is not an entry: a temporary file, or not guard's. */
export function entryOf(name: string): EntryName | null {
  const [, digest, packed] = /^([0-9a-f]{64})(\.z)?$/.exec(name) ?? [];
  return digest === undefined ? null : { digest, is_packed: packed !== undefined };
}
