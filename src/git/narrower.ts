/** The same command without other agents' files, ready to type. Pure. */
import { isAbsolute, relative } from 'node:path';
import { shellWord } from '../core/shell-word.ts';
import { absoluteIn } from './act.ts';
import type { Foreseen } from './forecast.ts';

/** Longer lists of names are not read; beyond this the files of others are excluded instead. */
const NAMED = 8;

/**
 * Null: there is none. `others`: absolute paths.
 * @param base the agent's working directory
 */
export function narrowerOf({ touch, at }: Foreseen, base: string, others: readonly string[]): string | null {
  const { narrower } = touch;
  if (narrower === undefined) return null;
  const instead = narrower.instead ?? null;
  if (narrower.paths === null) return instead;
  const theirs = new Set(others);
  const mine = (touch.files ?? [])
    .map(({ path }) => absoluteIn(at, path))
    .filter((path) => !theirs.has(path) && !others.some((other) => other.startsWith(`${path}/`)));
  if (mine.length === 0) return instead;
  const isInside = isBelow(base, at.root);
  const start = ['git', ...(isInside ? [] : ['-C', at.root]), ...narrower.paths].map(shellWord).join(' ');
  const from = isInside ? base : at.root;
  if (mine.length <= NAMED)
    return `${start} -- ${mine.map((path) => shellWord(relative(from, path))).join(' ')}`;
  if (others.length > NAMED) return instead;
  const without = others.map((path) => shellWord(`:(top,exclude)${relative(at.root, path)}`));
  return `${start} -- :/ ${without.join(' ')}`;
}

const isBelow = (path: string, root: string): boolean => {
  const way = relative(root, path);
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
};
