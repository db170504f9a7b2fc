/** The client's settings for worktrees that it makes: lists are merged over all files, single values come from the last one. */
import { asList, asObject, parsedObject } from '../core/json-object.ts';
import { managedPath, settingsPath } from '../install/scopes.ts';
import { textOf } from '../repo/small-file.ts';
import type { Environment } from '../repo/user-dirs.ts';

export interface WorktreeSettings {
  /** Begin at HEAD instead of the default branch of origin. */
  readonly from_head: boolean;
  /** Directories of the main checkout to link to. */
  readonly links: readonly string[];
  /** Check out only these directories; empty: all. */
  readonly sparse: readonly string[];
}

const FILE_BYTES = 4 << 20;

export function worktreeSettings(root: string, env: Environment): WorktreeSettings {
  // Lowest precedence first. Invalid values are ignored, as the client does.
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
