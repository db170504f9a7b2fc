/** Which directories existed and what they contained, as far as transcripts name files. */
import { posix } from 'node:path';

export interface TreeThen {
  /** Takes an absolute path that was a file, or was about to become one. */
  readonly note: (abs: string) => void;
  readonly isDirectory: (abs: string) => boolean;
  /** Sorted; includes files that have been removed since. */
  readonly namesIn: (dir: string) => readonly string[];
}

export function openTree(): TreeThen {
  const dirs = new Map<string, Set<string>>();
  const note = (abs: string): void => {
    for (let [path, dir] = [abs, posix.dirname(abs)]; dir !== path; [path, dir] = [dir, posix.dirname(dir)]) {
      const known = dirs.get(dir);
      const names = known ?? new Set<string>();
      names.add(posix.basename(path));
      // Its ancestors have it already.
      if (known !== undefined) return;
      dirs.set(dir, names);
    }
  };
  return {
    note,
    isDirectory: (abs) => dirs.has(posix.resolve('/', abs)),
    namesIn: (dir) => [...(dirs.get(posix.resolve('/', dir)) ?? [])].sort(),
  };
}
