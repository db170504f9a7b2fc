/** How a checkout differs from guard's own index of it, according to `git status --porcelain=v2 -z`. Names are bytes. */

export interface IndexChanges {
  readonly removed: readonly string[];
  /** Tracked or not. */
  readonly written: readonly string[];
  /** Directories that are repositories themselves. */
  readonly nested: readonly string[];
  readonly has_unmerged: boolean;
}

export const STATUS_ARGS = [
  ...['status', '--porcelain=v2', '-z', '--no-renames', '--no-ahead-behind'],
  // Uncommitted changes inside submodules are not queried, because that would run git with their configuration.
  ...['--ignore-submodules=dirty', '--untracked-files=all'],
];

/** `1 XY sub mH mI mW hH hI path`, `u …`, `? path`. */
export function indexChangesIn(status: string): IndexChanges {
  const removed: string[] = [];
  const written: string[] = [];
  const nested: string[] = [];
  let has_unmerged = false;
  for (const line of status.split('\0')) {
    if (line.startsWith('u ')) has_unmerged = true;
    if (line.startsWith('? ')) (line.endsWith('/') ? nested : written).push(line.slice(2));
    const [, how = '.', path = ''] = /^1 .(.) (?:\S+ ){6}(.*)$/s.exec(line) ?? [];
    if (how === 'D') removed.push(path);
    else if (how !== '.') written.push(path);
  }
  return { removed, written, nested, has_unmerged };
}
