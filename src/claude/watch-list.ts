/**
 * What must not change for guard to keep guarding, apart from the files that only guard's own tools write. git and package
 * managers change some of it for good reasons, so it is watched, not forbidden.
 */
import { attempt } from '../core/attempt.ts';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { LAUNCHER, MCP_FILE } from '../install/command.ts';
import { GIT_HOOK_NAMES, isGuardsHook, nextName } from '../install/git-hook/script.ts';
import { claudeHome, SCOPES, settingsPath } from '../install/scopes.ts';
import { digestBytes } from '../repo/digest.ts';
import type { Repo } from '../repo/locate.ts';
import { readSmallFile, textOf } from '../repo/small-file.ts';
import { type Environment, userConfigFile } from '../repo/user-dirs.ts';
import { sharedFile } from './own-entries.ts';
import { foreignHooks, type HookCommand } from '../settings/foreign-hooks.ts';

export interface WatchedFile {
  readonly file: string;
  /** The relevant part of its content; a missing file counts as empty. */
  readonly concern: (file: string) => Concern;
}

export interface Concern {
  /** Entries that must all stay. */
  readonly own: readonly string[];
  /** Hooks that are not guard's. */
  readonly hooks: readonly HookCommand[];
}

const MAX_BYTES = 4 << 20;

export function watchList({ root, common_dir }: Repo, env: Environment): readonly WatchedFile[] {
  const home = claudeHome(env);
  const at = (...names: readonly string[]): string[] => names.map((name) => join(root, name));
  const settings = SCOPES.map((scope) => settingsPath(scope, root, env));
  const shared = at(
    MCP_FILE,
    '.codex/hooks.json',
    '.codex/config.toml',
    '.gemini/settings.json',
    '.qwen/settings.json',
    '.cursor/hooks.json',
  );
  const whole = [
    ...at(LAUNCHER, 'guard.config.json'),
    userConfigFile(env),
    '/etc/claude-code/managed-settings.json',
    '/Library/Application Support/ClaudeCode/managed-settings.json',
    join(home, 'plugins/installed_plugins.json'),
  ];
  const git = common_dir === null ? [] : [join(common_dir, 'config')];
  return [
    ...settings.map((file) => ({ file, concern: ofSettings })),
    ...shared.map((file) => ({ file, concern: ofShared })),
    ...whole.map((file) => ({ file, concern: ofWhole })),
    ...git.map((file) => ({ file, concern: ofGitConfig })),
    ...(common_dir === null ? [] : [{ file: join(common_dir, 'hooks'), concern: ofHookDir }]),
  ];
}

const none = (own: readonly string[]): Concern => ({ own, hooks: [] });

/** With `disableAllHooks`, or if it is not JSON, none of them runs. */
function ofSettings(file: string): Concern {
  const text = textOf(file, MAX_BYTES) ?? '';
  const off = /"disableAllHooks"\s*:\s*true/.test(text);
  const own = off ? [] : (sharedFile('/.claude/settings.json')?.(text) ?? []);
  return { own, hooks: foreignHooks(text) };
}

const ofShared = (file: string): Concern =>
  none(sharedFile(file.replaceAll('\\', '/'))?.(textOf(file, MAX_BYTES) ?? '') ?? []);

function ofWhole(file: string): Concern {
  const read = readSmallFile(file, MAX_BYTES);
  return none(read.state === 'missing' ? [] : [read.state === 'text' ? digestOf(read.text) : read.reason]);
}

const digestOf = (text: string): string => `content ${digestBytes(Buffer.from(text)).slice(0, 12)}`;

/** Settings that make git run other programs, or use another directory as the repository. */
const TELLING =
  /^(?:core\.(?:hookspath|worktree|bare|fsmonitor|sshcommand|attributesfile)|include\w*\.|filter\.|extensions\.worktreeconfig)/i;

function ofGitConfig(file: string): Concern {
  const lines = (textOf(file, MAX_BYTES) ?? '').split('\n').map((line) => line.trim());
  return none(lines.reduce(settingsIn, { section: '', found: [] }).found);
}

interface Seen {
  readonly section: string;
  readonly found: readonly string[];
}

function settingsIn({ section, found }: Seen, line: string): Seen {
  const head = /^\[([\w.-]+)/.exec(line)?.[1];
  if (head !== undefined) return { section: head, found };
  const setting = `${section}.${line}`;
  return { section, found: TELLING.test(setting) ? [...found, setting] : found };
}

const HOOKS_MAX = 100;

/** Only names: a hook's content is the project's. guard's own hook is not news, and one that it moved keeps its old name. */
function ofHookDir(dir: string): Concern {
  const names = attempt(() => (lstatSync(dir).isDirectory() ? readdirSync(dir) : [dir]), []);
  const guards = GIT_HOOK_NAMES.filter((name) => isGuardsHook(textOf(join(dir, name), 8_192) ?? ''));
  const own = names
    .filter((name) => !name.endsWith('.sample') && !guards.some((one) => one === name))
    .map((name) => guards.find((one) => name === nextName(one)) ?? name);
  return none(own.slice(0, HOOKS_MAX));
}
