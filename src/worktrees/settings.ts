/** What the client's settings say of the worktrees that it makes: lists of all files together, of single values the last. */
import { asList, asObject, parsedObject } from '../core/json-object.ts';
import { managedPath, settingsPath } from '../install/scopes.ts';
import { textOf } from '../repo/small-file.ts';
import type { Environment } from '../repo/user-dirs.ts';

export interface WorktreeSettings {
  /** Begin with what is checked out, not with the default branch of origin. */
  readonly from_head: boolean;
  /** Directories of the main checkout that are linked to. */
  readonly links: readonly string[];
  /** Only these directories are checked out; empty: all. */
  readonly sparse: readonly string[];
}

const FILE_BYTES = 4 << 20;

export function worktreeSettings(root: string, env: Environment): WorktreeSettings {
  // The weakest first; what is not valid the client leaves out as well.
  const own = (['user', 'project', 'local'] as const).map((scope) => settingsPath(scope, root, env));
  const found = [...own, managedPath() ?? ''].map((file) =>
    asObject(parsedObject((textOf(file, FILE_BYTES) ?? '').replace(/^\uFEFF/, ''))['worktree']),
  );
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
