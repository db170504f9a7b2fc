/** Directories, patterns and long lists of files, in the form in which the ledger compares them with what others hold. */
import { ifAllowed } from '../../core/attempt.ts';
import fs from 'node:fs';
import { relative } from 'node:path';
import { parseGlob } from '../../core/glob/parse.ts';
import type { Area } from '../../core/rules/command-event.ts';
import { beginningsOf } from '../../core/rules/places.ts';
import { matchesGlob } from '../../core/glob/match.ts';
import { LAUNCHER } from '../../install/command.ts';
import { SCOPES, settingsPath } from '../../install/scopes.ts';
import { cloneOf } from '../../repo/clones.ts';
import { otherCheckouts } from '../../repo/other-checkouts.ts';
import type { Repo } from '../../repo/repo.ts';
import type { Located } from '../events/targets.ts';
import type { HookSpace, Hook } from '../context.ts';

interface Part {
  readonly by: string;
  readonly source: string;
}

/** A file, a directory with everything in it, or the files that a pattern matches. */
export function areaOf({ target, space }: Located, { by, source }: Part, pattern: string | null): Area {
  const { repo, facts } = space;
  const scope = repo.worktree === null ? '' : `//${repo.worktree}/`;
  const rel = target.path.slice(scope.length);
  const below = rel === '.' ? '' : rel;
  const glob = pattern === null ? null : globIn(repo.root, pattern);
  const text = glob ?? (below === '' ? '**' : `{${escaped(below)},${escaped(below)}/**}`);
  const parsed = glob === null ? null : parseGlob(glob);
  const isBelow = (path: string): boolean => below === '' || path === below || path.startsWith(`${below}/`);
  const others = otherNames(repo);
  const covers = (path: string): boolean => {
    // Another checkout may be in the directory.
    if (others !== null && path.startsWith(others))
      return parsed === null && isWithin(facts().spelled?.(path) ?? '', target.real);
    if (!path.startsWith(scope)) return false;
    const own = path.slice(scope.length);
    return parsed === null ? isBelow(own) : matchesGlob(parsed, own);
  };
  const begun = parsed === null ? [below] : beginningsOf(scope, parsed).map(({ names }) => names.join('/'));
  const own = begun.map((place) => scope + place);
  const places = others === null ? own : [...own, ...otherPlaces(repo, others)];
  const found = { abs: target.abs, by, source, covers, glob: { scope, text }, members: [] };
  return below.startsWith('/') ? found : { ...found, places };
}

/** The prefix of names of checkouts that may be inside the main one: those linked to its clone. Null if this one is itself linked. */
function otherNames(repo: Repo): string | null {
  const clone = cloneOf(repo);
  if (repo.worktree !== (clone ?? null)) return null;
  return clone === undefined ? '//' : `//${clone}~`;
}

const otherPlaces = (repo: Repo, others: string): readonly string[] =>
  others === '//'
    ? [others]
    : otherCheckouts(repo)
        .map((id) => `//${id}/`)
        .filter((place) => place.startsWith(others));

const isWithin = (path: string, dir: string): boolean => path.startsWith(`${dir}/`);

const escaped = (text: string): string => text.replace(/[\\*?[\]{},!^]/g, '\\$&');

/** Relative to the root; null for a pattern that cannot be used here, which then means everything below its fixed beginning. */
function globIn(root: string, pattern: string): string | null {
  const rel = relative(root, pattern);
  if (rel === '' || rel.startsWith('..')) return null;
  return ifAllowed(() => {
    parseGlob(rel);
    return rel;
  }, null);
}

/** For more files than are checked one by one. */
export function areaOfFiles(
  files: readonly (Located & { readonly effect: Part })[],
): ReadonlyMap<HookSpace, Area> {
  const groups = new Map<HookSpace, (Located & { readonly effect: Part })[]>();
  for (const one of files)
    if (one.space.repo.initialised) groups.set(one.space, [...(groups.get(one.space) ?? []), one]);
  return new Map(
    [...groups].map(([space, own]) => {
      const members = own.map(({ target }) => target.path);
      const known = new Set(members);
      const { by = '', source = '' } = own[0]?.effect ?? {};
      const abs = own[0]?.target.abs ?? space.repo.root;
      const area = { abs, by, source, places: members, glob: null, members };
      return [space, { ...area, covers: (path) => known.has(path) }] as const;
    }),
  );
}

/** Why a directory must not be removed: it contains files that keep the repository guarded. Null if it contains none. */
export function protectedBelow({ home, env }: Hook, { target, space }: Located): string | null {
  const roots = [...new Set([home.repo.root, space.repo.root])];
  const own = [home.state_dir, space.state_dir, ...roots.map((root) => `${root}/guard.config.json`)];
  const hooks = roots.flatMap((root) => [
    `${root}/${LAUNCHER}`,
    ...SCOPES.map((scope) => settingsPath(scope, root, env)),
  ]);
  const found = [...own, ...hooks].find((path) => isWithin(path, target.real) && fs.existsSync(path));
  return found === undefined ? null : `${found} is in it.`;
}
