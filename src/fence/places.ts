/** Where held things are on disk: the file of a lease, or the files and directories that a reservation covers. */
import { lstatSync, opendirSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { matchesGlob } from '../core/glob/match.ts';
import { parseGlob } from '../core/glob/parse.ts';
import { literalOf, type Segment } from '../core/glob/pattern.ts';
import type { Repo } from '../repo/locate.ts';
import { spelledAt } from '../repo/spelled.ts';
import type { FencePlaces } from './live.ts';

type Where = Pick<Repo, 'root' | 'common_dir' | 'worktree' | 'state_dir' | 'joined' | 'clone'>;

export function fencePlaces(repo: Where): FencePlaces {
  const spelled = spelledAt(repo);
  const absolute = (path: string): string | null => {
    const at = spelled(path);
    // A checkout that git no longer knows.
    return at.startsWith('/') && !at.startsWith('//') ? at : null;
  };
  return {
    path: absolute,
    glob: (scope, pattern) => {
      const root = absolute(`${scope}.`);
      return root === null ? [] : covered(root, pattern);
    },
  };
}

/** `src/**` is a directory including all future files in it. For other patterns, the files that exist now. */
function covered(root: string, pattern: string): readonly string[] {
  const glob = parseGlob(pattern);
  const found = glob.alternatives.flatMap((segments) => {
    const names = literalStart(segments);
    const [next, ...more] = segments.slice(names.length);
    const dir = join(root, ...names);
    if (next === undefined || (next === '**' && more.length === 0)) return exists(dir) ? [dir] : [];
    return filesBelow(dir, (path) => matchesGlob(glob, path.slice(root.length + 1)));
  });
  return [...new Set(found)];
}

function literalStart(segments: readonly Segment[]): readonly string[] {
  const names = segments.map(literalOf);
  const end = names.indexOf(null);
  return (end === -1 ? names : names.slice(0, end)) as readonly string[];
}

/** A reservation must not take longer than a grant may: 4,096 entries take 10 ms. Anything beyond them is not fenced. */
const ENTRIES_MOST = 4_096;

function filesBelow(dir: string, matches: (path: string) => boolean): readonly string[] {
  const found: string[] = [];
  const dirs = [dir];
  let left = ENTRIES_MOST;
  for (let at = dirs.shift(); at !== undefined && left > 0; at = dirs.shift()) {
    for (const { name, is_dir } of entriesIn(at, left)) {
      left -= 1;
      const path = join(at, name);
      if (is_dir && name !== '.git') dirs.push(path);
      else if (!is_dir && matches(path)) found.push(path);
    }
  }
  return found;
}

interface DirEntry {
  readonly name: string;
  readonly is_dir: boolean;
}

/** The entries that can be read. */
function entriesIn(dir: string, most: number): readonly DirEntry[] {
  const found: DirEntry[] = [];
  attempt(() => {
    const open = opendirSync(dir);
    for (let one = open.readSync(); one !== null && found.length < most; one = open.readSync())
      found.push({ name: one.name, is_dir: one.isDirectory() });
    open.closeSync();
  }, undefined);
  return found;
}

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
