/** What the client's settings say of the worktrees that it makes: lists of all files together, of single values the last. */
import { asList, asObject } from '../core/json-object.ts';
import { seenSettings } from '../install/settings-seen.ts';
import type { Environment } from '../repo/user-dirs.ts';

export interface WorktreeSettings {
  /** Begin with what is checked out, not with the default branch of origin. */
  readonly from_head: boolean;
  /** Directories of the main checkout that are linked to. */
  readonly links: readonly string[];
  /** Only these directories are checked out; empty: all. */
  readonly sparse: readonly string[];
}

export function worktreeSettings(root: string, env: Environment): WorktreeSettings {
  const found = seenSettings(root, env).map(({ value }) => asObject(value['worktree']));
  const listed = (key: string): readonly string[] => [
    ...new Set(found.flatMap((one) => asList(one[key])).filter((path) => typeof path === 'string')),
  ];
  const base = found.map(({ baseRef }) => baseRef).findLast((value) => value !== undefined);
  return {
    from_head: base === 'head',
    links: listed('symlinkDirectories').filter(isWithin),
    sparse: listed('sparsePaths').filter(isWithin),
  };
}

const isWithin = (path: string): boolean => path !== '' && !/^[/\\~-]|(?:^|[/\\])\.\.(?:[/\\]|$)/.test(path);
