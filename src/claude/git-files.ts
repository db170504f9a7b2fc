/** Files of a git directory that git alone has to write (docs/decisions/078). */
import type { Target } from '../repo/canonical.ts';
import type { Scene } from './scene.ts';

/** Below a git directory, or below that of a submodule or a linked worktree inside of it. */
const GITS =
  /^(?:modules\/.+\/|worktrees\/[^/]+\/)?(?:(?:config(?:\.worktree)?|commondir|gitdir|HEAD|index|packed-refs)(?:\.lock)?|(?:hooks|objects|refs|reftable)(?:\/.*)?)$/i;

export function isGits(scene: Scene, { real, abs, repo }: Target): boolean {
  const paths = [real, abs].map((path) => path.replaceAll('\\', '/'));
  const named = paths.flatMap((path) =>
    [...path.matchAll(/\/\.git\/(?=(.*)$)/gis)].map(([, rest = '']) => rest),
  );
  // A git directory may have any name and any place.
  const dirs = [scene.home.repo.common_dir, repo.common_dir].filter((dir) => dir !== null);
  const placed = dirs.flatMap((dir) =>
    paths.filter((path) => path.startsWith(`${dir}/`)).map((path) => path.slice(dir.length + 1)),
  );
  return [...named, ...placed].some((path) => GITS.test(path));
}
