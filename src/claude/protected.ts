// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Files that keep the repository guarded: an agent's write to them is denied (design section 4, PROTECTED_PATH). */
import fs from 'node:fs';
import { homeOf, userConfigFile, userStateDir } from '../repo/user-dirs.ts';
import type { Target } from '../repo/canonical.ts';
import { realPath } from '../repo/real-path.ts';
import { readSmallFile } from '../repo/small-file.ts';
import { claudeHome, SCOPES, settingsPath } from '../install/scopes.ts';
import { LAUNCHER } from '../install/command.ts';
import { guardRoot } from '../install/guard-root.ts';
import { homeAround, programHome } from '../install/program/home.ts';
import { isGits } from './git-files.ts';
import { textAfter } from './edit-result.ts';
import { losesOwn, sharedFile } from './own-entries.ts';
import type { Scene } from './scene.ts';
import { whyNotLeft } from './settings-judge.ts';

const SETTINGS = /[/\\]\.claude[/\\]settings(?:\.local)?\.json$/i;

/** In every checkout, where the user keeps theirs (`CLAUDE_CONFIG_DIR`), and by the other name where one of these is a link. */
function isSettings({ home, env }: Scene, { real, abs, repo }: Target): boolean {
  if (SETTINGS.test(real) || SETTINGS.test(abs)) return true;
  if (!/settings/i.test(real)) return false;
  const files = SCOPES.flatMap((scope) =>
    [home.repo.root, repo.root].map((root) => settingsPath(scope, root, env)),
  );
  return files.some((file) => real === safeReal(file));
}

/** Null: an ordinary file. Asked only of paths that may be (suspect.ts). */
export function whyProtected(scene: Scene, file: Target): string | null {
  // What a shell command leaves there ConfigChange judges, as long as guard's hooks are not in it.
  if (isSettings(scene, file) && scene.input.tool !== 'Bash')
    return whyNotLeft(scene.input, file.real, scene.env);
  const found = WARDS.find((ward) => ward.covers(scene, file));
  return found?.reason ?? whyOwnLost(scene, file);
}

/** Of a file that others share with guard, only guard's own part is protected. */
function whyOwnLost({ input }: Scene, file: Target): string | null {
  const read = sharedFile(slashed(file.real)) ?? sharedFile(slashed(file.abs));
  if (read === undefined) return null;
  const before = readSmallFile(file.real, SHARED_BYTES);
  if (before.state === 'unreadable') return 'guard cannot tell what would be left of its entry in it.';
  const text = before.state === 'text' ? before.text : '';
  return losesOwn(read, text, textAfter(input, text))
    ? "guard's entry in it would be changed or lost."
    : null;
}

const SHARED_BYTES = 4 << 20;

/**
 * State directories wherever they are: one that an agent makes above the repository, or in another git directory,
 * would decide over everything below it.
 */
const STATE = /\/(?:\.guard|\.git\/(?:modules\/.+\/)?guard)\//i;

/** What ties a worktree or a submodule to its repository: git writes these, nobody else has to. */
const LINK = /\/\.git$|\/worktrees\/[^/]+\/(?:gitdir|commondir)$/i;

const slashed = (path: string): string => path.replaceAll('\\', '/');

/** Put there by an administrator; whoever can write it decides over every session of the machine. */
const MANAGED = [
  '/etc/claude-code',
  '/Library/Application Support/ClaudeCode',
  'C:/Program Files/ClaudeCode',
];

/** Of the user: plugins on and off, trust, servers. */
function registryFiles({ env }: Scene): string[] {
  const home = homeOf(env);
  const dirs = [claudeHome(env), `${home}/.claude`];
  const own = [
    'plugins/installed_plugins.json',
    'plugins/known_marketplaces.json',
    '.config.json',
    '.claude.json',
  ];
  return [`${home}/.claude.json`, ...dirs.flatMap((dir) => own.map((name) => `${dir}/${name}`))];
}

interface Ward {
  readonly reason: string;
  readonly covers: (scene: Scene, file: Target) => boolean;
}

const OWN_CONFIG = "it is guard's configuration.";

const WARDS: readonly Ward[] = [
  {
    reason: "it is managed settings of the client, which win over guard's.",
    covers: (_, { real, abs }) =>
      MANAGED.some((dir) => [real, abs].some((path) => isWithin(slashed(path), dir)) || isBelow(real, dir)),
  },
  {
    reason: 'it says which plugins and servers the client runs, and what it trusts.',
    covers: (scene, { real }) =>
      /(?:_plugins|known_marketplaces|\.claude|\.config)\.json$/i.test(real) &&
      registryFiles(scene).some((file) => real === safeReal(file)),
  },
  {
    reason:
      'it belongs to git, and makes git run programs, or says what the repository is. Use git for that.',
    covers: isGits,
  },
  {
    reason: 'it is what a person restores the settings from.',
    covers: (_, { real }) => /\.guard-backup$/i.test(real),
  },
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
    covers: ({ home }, { real, abs, repo }) =>
      [real, abs].some((path) => slashed(path).toLowerCase().endsWith(`/${LAUNCHER}`)) ||
      (/guard-hook/i.test(real) &&
        [home.repo.root, repo.root].some((root) => real === safeReal(`${root}/${LAUNCHER}`))),
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
    covers: (scene, file) =>
      PROGRAM.test(slashed(file.real)) && programDirs(scene).some((dir) => isBelow(file.real, dir)),
  },
];

function stateDirs({ home, env }: Scene, file: Target): string[] {
  return [home.state_dir, file.repo.state_dir, userStateDir(env)];
}

/** Asked first everywhere: resolving directories costs a cold hook 2 ms, and nearly no file is in one of these. */
const PROGRAM =
  /\/(?:dist|bin|hooks|native|versions|node_modules|\.claude-plugin)\/|\/(?:package|current)\.json$/i;

function programDirs({ env }: Scene): string[] {
  const root = guardRoot();
  const own = ['dist', 'bin', 'hooks', 'native', '.claude-plugin', 'node_modules', 'package.json'];
  return [...own.map((name) => `${root}/${name}`), homeAround(root) ?? programHome(env)];
}

/** Without regard to case: nothing else has such a name. */
const isWithin = (path: string, dir: string): boolean =>
  `${path}/`.toLowerCase().startsWith(`${dir}/`.toLowerCase());

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
