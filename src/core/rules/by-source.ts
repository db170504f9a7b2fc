import { grouped } from '../grouped.ts';
import type { GitFile } from './command-event.ts';

/** Groups files by their part of the line: one answer for all files of one git command. */
export function bySource<T extends { readonly file: GitFile }>(
  found: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  return grouped(found, ({ file }) => file.source);
}
