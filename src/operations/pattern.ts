/**
 * Resolves a given pattern in the repository. The names before the first wildcard are a path and become canonical like
 * any path, so a pattern below a symbolic link, or in another case, covers the intended files.
 */
import { isAbsolute, join } from 'node:path';
import { unlessRefused } from '../core/attempt.ts';
import { GuardError } from '../core/error.ts';
import { GLOB_LIMITS, parseGlob } from '../core/glob/parse.ts';
import type { Meant } from '../core/rules/meant.ts';
import { placeOfPath } from '../core/rules/place-of-path.ts';
import type { Target } from '../repo/canonical.ts';
import { foldPath } from '../repo/fold.ts';
import { readInstall } from '../repo/install.ts';
import { targetIn } from '../workspace/target-in.ts';
import type { Workspace } from '../workspace/workspace.ts';

export type LocatedPattern = Meant | { readonly file: string; readonly error: string };

export const locatePattern = (space: Workspace, given: string): LocatedPattern =>
  unlessRefused<LocatedPattern>(
    () => meantBy(space, given),
    ({ message }) => ({ file: given, error: message }),
  );

/** @throws GuardError GUARD_ERR_GLOB, GUARD_ERR_PATH */
export function meantBy(space: Workspace, given: string): Meant {
  const { repo } = space;
  const targetOf = (path: string): Target => targetIn(space, isAbsolute(path) ? path : join(repo.root, path));
  const { literal, rest } = split(given, (path) => targetOf(path).kind !== 'missing');
  parseGlob([escaped(literal), rest].filter((part) => part !== '').join('/'));
  const target = targetOf(literal);
  const place = target.repo.state_dir === repo.state_dir ? placeOfPath(target.path) : null;
  if (place === null) throw elsewhere(given);
  const base = place.rel === '.' ? '' : escaped(place.rel);
  // A directory stands for its contents.
  const wild =
    rest === '' && target.kind === 'directory' ? '**' : foldPath(rest, readInstall(repo.state_dir));
  const pattern = [base, wild].filter((part) => part !== '').join('/');
  parseGlob(pattern);
  return { file: given, scope: place.scope, pattern, path: wild === '' ? target.path : null };
}

/** A name like `[id]` or `{a}` is literal if a file or directory with that name exists. */
function split(
  given: string,
  exists: (path: string) => boolean,
): { readonly literal: string; readonly rest: string } {
  const names = given.split('/');
  const isLiteral = (name: string, at: number): boolean =>
    !/[*?[\]{}\\]/.test(name) ||
    (!/[*?\\\0]/.test(name) && given.length <= GLOB_LIMITS.chars && exists(names.slice(0, at + 1).join('/')));
  const at = names.findIndex((name, n) => !isLiteral(name, n));
  const literal = (at < 0 ? names : names.slice(0, at)).join('/');
  const rest = at < 0 ? '' : names.slice(at).join('/');
  return { literal: literal === '' ? (given.startsWith('/') ? '/' : '.') : literal, rest };
}

const escaped = (path: string): string => path.replace(/[*?[\]{}\\]/g, '\\$&');

const elsewhere = (given: string): GuardError =>
  new GuardError(
    'GUARD_ERR_PATH',
    `${JSON.stringify(given)} is not in this repository.`,
    'Patterns are relative to the root of the checkout.',
    { pattern: given },
  );
