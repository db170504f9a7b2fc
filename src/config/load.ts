/**
 * The configuration in force for one repository. Layers, each overriding the one before (design section 8): defaults,
 * what `guard init` set (install.json), user configuration, `guard.config.json` at the root of the checkout, `GUARD_*`
 * variables.
 *
 * A repository's content is not trusted, and a repository can set a hook's environment (`env` in its settings), so
 * these two may only strengthen. So may everything else compared with what `guard init` set, unless the user
 * configuration says `"allow_weaker": true`. What is ignored is reported in `warnings`.
 */
import { lstatSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../core/attempt.ts';
import type { Policy } from '../core/types.ts';
import { isPresent } from '../repo/git-dir.ts';
import { type Install, readInstall } from '../repo/install.ts';
import { locateReal, type Repo } from '../repo/locate.ts';
import { type Environment, userConfigFile } from '../repo/user-dirs.ts';
import type { FileOwner } from './own-keys.ts';
import { type FoundLayer, readConfigFile } from './file.ts';
import { fromEnvironment } from './from-environment.ts';
import type { KeptLayers } from './kept.ts';
import { addLayer, type ConfigWarning, type Merged } from './merge.ts';
import { DEFAULTS, keysThat, LOCK_SERVERS, PRESETS, ROLES_DIR, SETTING_NAMES } from './schema.ts';
import type { Durability, Fence, McpToolSettings, Preset, Settings } from './schema.ts';
import { notPersonal } from './unheeded.ts';

export type { ConfigWarning } from './merge.ts';
export type { Preset } from './schema.ts';

export interface Config extends KeptLayers {
  readonly preset: Preset;
  readonly policy: Policy;
  readonly durability: Durability;
  readonly fence: Fence;
  readonly mcp: McpToolSettings;
  /** Server keys of foreign lock servers. */
  readonly lock_servers: readonly string[];
  readonly deadline_ms: number;
  /** All places below the root of a checkout where role files may be looked up, whichever layer wins. */
  readonly roles_dirs: readonly string[];
  readonly sources: readonly { readonly file: string; readonly found: boolean }[];
  readonly warnings: readonly ConfigWarning[];
}

export interface ConfigInput {
  readonly repo: Repo;
  readonly env: Environment;
  /** The install files that this event has read already. */
  readonly installs?: Map<string, Install> | undefined;
}

/** How long a refused try counts as "wanted". */
const WANTED_MS = 120_000;

export const REPO_CONFIG = 'guard.config.json';

const ALL: ReadonlySet<keyof Settings> = new Set(SETTING_NAMES);
const NONE: ReadonlySet<keyof Settings> = new Set();
/** Keys that `guard init` does not set for everyone; a repository that it made strict stays strict. */
const FREE_FOR_USER = keysThat(({ user_may }) => user_may === 'weaken');
const FREE_UNLESS_STRICT = keysThat(({ user_may }) => user_may !== undefined);

function base({ repo, installs }: ConfigInput): Merged {
  if (!repo.initialised) return { preset: 'standard', settings: DEFAULTS, warnings: [] };
  const install = readInstall(repo.state_dir, installs);
  const { enforcement_floor: enforcement, unread_floor: unread = DEFAULTS.unread, release_on } = install;
  const settings = { ...DEFAULTS, enforcement, unread, ttl: install.ttl_ms, release_on };
  const unlocked = enforcement === 'auto' ? 'auto' : 'standard';
  if (unread !== 'always') return { preset: unlocked, settings, warnings: [] };
  const { commands, unresolved } = PRESETS.strict;
  return { preset: 'strict', settings: { ...settings, commands, unresolved }, warnings: [] };
}

/**
 * The user's own file: owned by this user (or root) and outside every checkout of the repository. Without this check, a
 * repository could contain a "user" configuration and point XDG_CONFIG_HOME or HOME at it.
 */
export const isPersonal = (file: string, repo: Repo): boolean =>
  attempt(() => {
    const real = realpathSync.native(file);
    const { uid } = lstatSync(real);
    const own = process.getuid === undefined || uid === process.getuid() || uid === 0;
    return own && !(repo.initialised && locateReal(real, false).state_dir === repo.state_dir);
  }, false);

const HINTS = {
  installed: 'Run `guard init` again to change it here, or set "allow_weaker" in your configuration.',
  weaker: 'Only your user configuration can weaken guard: set it there, or "allow_weaker": true.',
} as const;

function freeForUser(below: Merged, allow_weaker: boolean): ReadonlySet<keyof Settings> {
  if (allow_weaker) return ALL;
  return below.settings.unread === 'always' ? FREE_FOR_USER : FREE_UNLESS_STRICT;
}

function addUser(below: Merged, file: string, found: FoundLayer, personal: boolean): Merged {
  const free = personal ? freeForUser(below, found.allow_weaker) : NONE;
  const merged = addLayer(below, found, { source: file, free, lineOf: found.lineOf, hint: HINTS.installed });
  if (personal || !found.allow_weaker) return merged;
  return { ...merged, warnings: [...merged.warnings, notPersonal(file, found.lineOf('allow_weaker'))] };
}

function together(...parts: readonly (McpToolSettings | undefined)[]): McpToolSettings {
  const all = parts.filter((part) => part !== undefined);
  return { writers: all.flatMap((part) => part.writers), readers: all.flatMap((part) => part.readers) };
}

/** The user may declare that a tool only reads; a repository may not. */
const ownWord = (mcp: McpToolSettings): McpToolSettings => ({
  ...mcp,
  readers: mcp.readers.map((row) => ({ ...row, own: true })),
});

/** Renames the keys that the policy calls differently. */
export function policyOf(settings: Settings): Policy {
  const {
    ttl: ttl_ms,
    idle: idle_ms,
    deadlock_victim: victim,
    deadlock_resolve: resolve,
    ...rest
  } = settings;
  return { ...rest, ttl_ms, idle_ms, victim, resolve, wanted_ms: WANTED_MS };
}

/** Most repositories have no such file, and then its reader need not be loaded. */
const found = (file: string, owner: FileOwner): FoundLayer | null =>
  isPresent(file) ? readConfigFile(file, owner) : null;

/**
 * Errors: GUARD_ERR_CONFIG with file, line, column and reason; GUARD_ERR_STATE_DIR and GUARD_ERR_VERSION from
 * install.json. Reads at most three small files and no clock.
 */
export function loadConfig(input: ConfigInput): Config {
  const { repo, env } = input;
  const user_file = userConfigFile(env);
  const user = found(user_file, 'user');
  // A repository that was never initialised is ignored: anyone can put a file into /tmp.
  const repo_file = join(repo.root, REPO_CONFIG);
  const from_repo = repo.initialised ? found(repo_file, 'repository') : null;

  const personal = user !== null && isPersonal(user_file, repo);
  const free = personal && user.allow_weaker ? ALL : NONE;
  const rights = { free, lineOf: () => null, hint: HINTS.weaker };

  let merged = base(input);
  if (user !== null) merged = addUser(merged, user_file, user, personal);
  if (from_repo !== null)
    merged = addLayer(merged, from_repo, { ...rights, source: repo_file, lineOf: from_repo.lineOf });
  const from_env = fromEnvironment(env);
  // A command of one agent could end the leases of all by changing where they count.
  if (from_env !== null)
    merged = addLayer(merged, from_env, { ...rights, source: 'environment', fixed: 'lease_scope' });

  const layers = [user, from_repo];
  const files = { [user_file]: user, [repo_file]: from_repo };
  const kept = [personal ? user : null, ...layers];
  return {
    preset: merged.preset,
    policy: policyOf(merged.settings),
    durability: merged.settings.durability,
    fence: merged.settings.fence,
    mcp: together(personal ? ownWord(user.mcp) : user?.mcp, from_repo?.mcp),
    lock_servers: [...new Set([LOCK_SERVERS, ...layers.map((layer) => layer?.lock_servers ?? [])].flat())],
    deadline_ms: merged.settings.deadline,
    roles_dirs: [ROLES_DIR, ...layers.flatMap((layer) => layer?.harness.roles_dir ?? [])],
    undo: kept.map((layer) => layer?.undo),
    archive_keep: kept.map((layer) => layer?.archive_keep),
    sources: Object.entries(files).map(([file, layer]) => ({ file, found: layer !== null })),
    warnings: merged.warnings,
  };
}
