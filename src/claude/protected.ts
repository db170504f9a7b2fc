// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Facts from disk and environment about files that keep the repository guarded; core/policy/protection.ts decides. */
import fs from 'node:fs';
import { isGits, whyProtected as whyGuarded } from '../core/policy/protection.ts';
import type { NamedFile, ProtectedPlace } from '../core/policy/protection.ts';
import { attempt } from '../core/attempt.ts';
import { homeOf, userConfigFile, userStateDir } from '../repo/user-dirs.ts';
import { ownStateDir } from '../repo/clones.ts';
import type { Target } from '../repo/canonical.ts';
import { realPath } from '../repo/real-path.ts';
import { readSmallFile } from '../repo/small-file.ts';
import { claudeHome, SCOPES, settingsPath } from '../install/scopes.ts';
import { LAUNCHER } from '../install/command.ts';
import { guardRoot } from '../install/guard-root.ts';
import { homeAround, programHome } from '../install/program/home.ts';
import { textAfter } from './edit-result.ts';
import { losesOwn, sharedFile } from './own-entries.ts';
import type { Hook } from './context.ts';
import { whyNotLeft } from './settings-judge.ts';

const SETTINGS = /[/\\]\.claude[/\\]settings(?:\.local)?\.json$/i;

/** In every checkout, in the user's own place (`CLAUDE_CONFIG_DIR`), and under the other name of one that is a link. */
function isSettings({ home, env }: Hook, { real, abs, repo }: Target): boolean {
  if (SETTINGS.test(real) || SETTINGS.test(abs)) return true;
  if (!/settings/i.test(real)) return false;
  const files = SCOPES.flatMap((scope) =>
    [home.repo.root, repo.root].map((root) => settingsPath(scope, root, env)),
  );
  return files.some((file) => real === safeReal(file));
}

/** Null for an ordinary file. Asked only about paths that may be protected (suspect.ts). */
export function whyProtectedHere(hook: Hook, file: Target): string | null {
  // ConfigChange checks what a shell command leaves there, as long as guard's hooks are not in it.
  if (isSettings(hook, file) && hook.input.tool !== 'Bash')
    return whyNotLeft(hook.input, file.real, hook.env);
  const names = { real: slashed(file.real), abs: slashed(file.abs) };
  const isAt = (place: ProtectedPlace): boolean => AT[place](hook, file);
  return whyGuarded({ ...names, isAt }) ?? whyOwnLost(hook, names);
}

/** In a file that others share with guard, only guard's own part is protected. */
function whyOwnLost({ input }: Hook, { real, abs }: Pick<NamedFile, 'real' | 'abs'>): string | null {
  const read = sharedFile(real) ?? sharedFile(abs);
  if (read === undefined) return null;
  const before = readSmallFile(real, SHARED_BYTES);
  if (before.state === 'unreadable') return 'guard cannot tell what would be left of its entry in it.';
  const text = before.state === 'text' ? before.text : '';
  return losesOwn(read, text, textAfter(input, text))
    ? "guard's entry in it would be changed or lost."
    : null;
}

const SHARED_BYTES = 4 << 20;

const slashed = (path: string): string => path.replaceAll('\\', '/');

/** Installed by an administrator; anyone who can write them controls every session on the machine. */
const MANAGED = [
  '/etc/claude-code',
  '/Library/Application Support/ClaudeCode',
  'C:/Program Files/ClaudeCode',
];

/** The user's files: enabled plugins, trust, servers. */
function registryFiles({ env }: Hook): string[] {
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

/** How to recognise each place on this machine. */
const AT: Readonly<Record<ProtectedPlace, (hook: Hook, file: Target) => boolean>> = {
  managed: (_, { real, abs }) =>
    MANAGED.some((dir) => [real, abs].some((path) => isWithin(slashed(path), dir)) || isBelow(real, dir)),
  registry: (hook, { real }) => registryFiles(hook).some((file) => real === safeReal(file)),
  git: ({ home }, { real, abs, repo }) =>
    isGits(
      { real: slashed(real), abs: slashed(abs) },
      [home.repo.common_dir, repo.common_dir].filter((dir) => dir !== null),
    ),
  state: ({ home, env }, { real, repo }) =>
    [home.state_dir, repo.state_dir, ownStateDir(repo), userStateDir(env)].some((dir) => isBelow(real, dir)),
  user_config: ({ env }, { real }) => isSameFile(real, userConfigFile(env)),
  launcher: ({ home }, { real, repo }) =>
    [home.repo.root, repo.root].some((root) => real === safeReal(`${root}/${LAUNCHER}`)),
  roles: (hook, { real, repo }) =>
    hook.workspace(repo).config.roles_dirs.some((dir) => isBelow(real, `${repo.root}/${dir}`)),
  program: (hook, { real }) => programDirs(hook).some((dir) => isBelow(real, dir)),
};

function programDirs({ env }: Hook): string[] {
  const root = guardRoot();
  const own = ['dist', 'bin', 'hooks', 'native', '.claude-plugin', 'node_modules', 'package.json'];
  return [...own.map((name) => `${root}/${name}`), homeAround(root) ?? programHome(env)];
}

/** Ignores case: nothing else has such a name. */
const isWithin = (path: string, dir: string): boolean =>
  `${path}/`.toLowerCase().startsWith(`${dir}/`.toLowerCase());

/** A file that does not exist yet has its own name, but its directory may be a link (`$HOME`). */
function isSameFile(real: string, file: string): boolean {
  const may_be = real.endsWith('/config.json') || fs.existsSync(file);
  return may_be && real === safeReal(file);
}

function isBelow(real: string, dir: string): boolean {
  const base = safeReal(dir);
  return real === base || real.startsWith(`${base}/`) || real.startsWith(`${base}\\`);
}

const safeReal = (dir: string): string => attempt(() => realPath(dir), dir);
