// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Where a path with links in it leads. Most paths have none, and need nothing of this. */
import { readlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, parse, sep } from 'node:path';
import { decoded, existingRealPath, lstatOrAbsent, outsideProcesses } from './existing-path.ts';
import { pathError } from './path-error.ts';

/** The kernel's limit (path_resolution(7)). */
const MAX_LINKS = 40;

const split = (path: string): string[] =>
  path
    .split(sep)
    .filter((part) => part !== '' && part !== '.')
    .reverse();

/** Processes the path part by part. `pending` is a stack, on which a link is replaced by the parts of its target. */
export function walkedPath(abs: string): string {
  const root = parse(abs).root;
  const pending = split(abs.slice(root.length));
  const rest: string[] = [];
  let existing = root;
  let links = 0;
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (part === '..') {
      if (rest.pop() === undefined) existing = dirname(existing);
      continue;
    }
    const next = outsideProcesses(join(existing, part));
    const stat = rest.length > 0 ? undefined : lstatOrAbsent(next);
    if (stat === undefined) {
      rest.push(part);
    } else if (stat.isSymbolicLink()) {
      if (++links > MAX_LINKS) throw pathError(abs, 'ELOOP');
      const target = decoded(readlinkSync(next, { encoding: 'buffer' }));
      if (isAbsolute(target)) existing = parse(target).root;
      pending.push(...split(isAbsolute(target) ? target.slice(existing.length) : target));
    } else {
      existing = next;
    }
  }
  // Resolve again through the system, which knows the spelling on disk if the file system folds names.
  return join(existingRealPath(existing), ...rest);
}
