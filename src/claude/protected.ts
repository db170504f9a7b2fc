/** Files that keep the repository guarded: an agent's write to them is denied (design section 4, PROTECTED_PATH). */
import fs from 'node:fs';
import { userConfigFile, userStateDir } from '../repo/user-dirs.ts';
import type { Target } from '../repo/canonical.ts';
import { realPath } from '../repo/real-path.ts';
import { settingsPath } from '../install/scopes.ts';
import { LAUNCHER } from '../install/command.ts';
import { guardRoot } from '../install/guard-root.ts';
import type { Scene } from './scene.ts';
import { whyNotLeft } from './settings-judge.ts';

const SETTINGS = /[/\\]\.claude[/\\]settings(?:\.local)?\.json$/i;

/** In every checkout, and where the user keeps theirs (`CLAUDE_CONFIG_DIR`). */
function isSettings({ env }: Scene, file: Target): boolean {
  if (SETTINGS.test(file.real) || SETTINGS.test(file.abs)) return true;
  return (
    /\/settings\.json$/i.test(slashed(file.real)) && file.real === safeReal(settingsPath('user', '/', env))
  );
}

/** Null: an ordinary file. Asked only of paths that may be (suspect.ts). */
export function whyProtected(scene: Scene, file: Target): string | null {
  if (isSettings(scene, file)) return whyNotLeft(scene.input, file.real, scene.env);
  const found = WARDS.find((ward) => ward.covers(scene, file));
  return found?.reason ?? null;
}

/**
 * State directories wherever they are: one that an agent makes above the repository, or in another git directory,
 * would decide over everything below it.
 */
const STATE = /\/(?:\.guard|\.git\/(?:modules\/.+\/)?guard)\//i;

/** What ties a worktree or a submodule to its repository: git writes these, nobody else has to. */
const LINK = /\/\.git$|\/worktrees\/[^/]+\/(?:gitdir|commondir)$/i;

const slashed = (path: string): string => path.replaceAll('\\', '/');

interface Ward {
  readonly reason: string;
  readonly covers: (scene: Scene, file: Target) => boolean;
}

const OWN_CONFIG = "it is guard's configuration.";

const WARDS: readonly Ward[] = [
  {
    reason: "it is part of guard's own state.",
    covers: (scene, file) => {
      const real = slashed(file.real);
      if (!/\/\.?guard(?:\/|$)/i.test(real)) return false;
      return STATE.test(real) || stateDirs(scene, file).some((dir) => isBelow(file.real, dir));
    },
  },
  {
    reason: OWN_CONFIG,
    covers: ({ env }, file) =>
      /(?:^|[/\\])guard\.config\.json$/i.test(file.real) || isSameFile(file.real, userConfigFile(env)),
  },
  {
    reason: 'it starts guard in every session.',
    covers: (_, file) => slashed(file.real).toLowerCase().endsWith(`/${LAUNCHER}`),
  },
  {
    reason: 'it says which repository, and so which ledger, the files around it belong to.',
    covers: (_, file) => LINK.test(slashed(file.real)),
  },
  {
    reason: 'it says what drafted agents may do.',
    covers: (scene, { real, repo }) =>
      scene.place(repo).config.roles_dirs.some((dir) => isBelow(real, `${repo.root}/${dir}`)),
  },
  {
    reason: "it is guard's own program.",
    covers: (_, file) =>
      PROGRAM.test(slashed(file.real)) && programDirs().some((dir) => isBelow(file.real, dir)),
  },
];

function stateDirs({ home, env }: Scene, file: Target): string[] {
  return [home.state_dir, file.repo.state_dir, userStateDir(env)];
}

/** Asked first everywhere: resolving directories costs a cold hook 2 ms, and nearly no file is in one of these. */
const PROGRAM = /\/(?:dist|bin|hooks|node_modules|\.claude-plugin)\/|\/package\.json$/i;

function programDirs(): string[] {
  const root = guardRoot();
  return ['dist', 'bin', 'hooks', '.claude-plugin', 'node_modules', 'package.json'].map(
    (name) => `${root}/${name}`,
  );
}

/** One that does not exist yet has its own name, but perhaps below a link (`$HOME`). */
function isSameFile(real: string, file: string): boolean {
  const may_be = real.endsWith('/config.json') || fs.existsSync(file);
  return may_be && real === safeReal(file);
}

function isBelow(real: string, dir: string): boolean {
  const base = safeReal(dir);
  return real === base || real.startsWith(`${base}/`) || real.startsWith(`${base}\\`);
}

function safeReal(dir: string): string {
  try {
    return realPath(dir);
  } catch {
    return dir;
  }
}
