/** The settings files that guard can be installed in, by scope. */
import { join } from 'node:path';
import { type Environment, homeOf } from '../repo/user-dirs.ts';

export const SCOPES = ['project', 'local', 'user'] as const;
export type Scope = (typeof SCOPES)[number];

/** @param root root of the checkout, or of a directory without git */
export function settingsPath(scope: Scope, root: string, env: Environment): string {
  return PATHS[scope](root, env);
}

const PATHS: Readonly<Record<Scope, (root: string, env: Environment) => string>> = {
  project: (root) => join(root, '.claude', 'settings.json'),
  local: (root) => join(root, '.claude', 'settings.local.json'),
  user: (_root, env) => join(claudeHome(env), 'settings.json'),
};

/** Where the client keeps a user's settings and plugins. */
export const claudeHome = (env: Environment): string =>
  env['CLAUDE_CONFIG_DIR'] || join(homeOf(env), '.claude');

/** Where it keeps transcripts: one folder per directory that sessions ran in. */
export const projectsDir = (env: Environment): string => join(claudeHome(env), 'projects');

/** Where it remembers servers and projects: next to that directory, or inside it if a variable names it. */
export const clientMemory = (env: Environment): string =>
  join(env['CLAUDE_CONFIG_DIR'] || homeOf(env), '.claude.json');

const MANAGED: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux: '/etc/claude-code/managed-settings.json',
  darwin: '/Library/Application Support/ClaudeCode/managed-settings.json',
  win32: 'C:\\Program Files\\ClaudeCode\\managed-settings.json',
};

/** Set by an administrator; overrides everything else. */
export const managedPath = (): string | undefined => MANAGED[process.platform];
