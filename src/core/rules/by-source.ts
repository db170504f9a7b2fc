import type { GitFile } from './command-event.ts';

/** By part of the line: one word on all files of one git command. */
export function bySource<T extends { readonly file: GitFile }>(
  found: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const one of found) groups.set(one.file.source, [...(groups.get(one.file.source) ?? []), one]);
  return groups;
}
