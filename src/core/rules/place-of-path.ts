import { isGitName } from '../git-names.ts';
import { isShadow } from '../shadow.ts';
import type { RepoPath } from '../types.ts';

/** A path's checkout, and the path in it; `null` for paths that no glob can match. */
export function placeOfPath(path: RepoPath): { readonly scope: string; readonly rel: string } | null {
  if (!path.startsWith('/')) return isShadow(path) || isGitName(path) ? null : { scope: '', rel: path };
  const [, scope, rel] = /^(\/\/[^/]+\/)([^/].*)$/s.exec(path) ?? [];
  return scope === undefined || rel === undefined ? null : { scope, rel };
}
