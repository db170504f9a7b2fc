/** What `guard init --host` will change for one client, as plain data. Pure. */
import type { HostName } from '../../claude/adapters/index.ts';
import { shellWord } from '../../core/shell-word.ts';
import { failClosed, LAUNCHER, NO_CERTIFICATES } from '../command.ts';
import type { FileFound } from '../file-change.ts';
import { LAUNCHER_FILE } from '../launcher.ts';
import { placeOwn } from '../own-file.ts';
import { hookSettings, type PlannedFile } from '../settings-change.ts';
import type { UndoFiles } from '../undo.ts';
import { codexHooks } from './codex.ts';
import { copilotHooks } from './copilot.ts';
import { geminiHooks } from './gemini.ts';
import { opencodePlugin } from './opencode.ts';
import { qwenHooks } from './qwen.ts';
import type { HostLine, HostRow, HostScope } from './host.ts';
import { WHOLE_FILE } from './whole.ts';

export const HOST_ROWS: Readonly<Record<HostName, HostRow>> = {
  codex: codexHooks,
  gemini: geminiHooks,
  qwen: qwenHooks,
  copilot: copilotHooks,
  opencode: opencodePlugin,
};

/** Relative to the root of a checkout. */
export const HOST_FILES: readonly string[] = Object.values(HOST_ROWS).map(({ file }) => file);

export const isHostFile = (path: string): boolean =>
  HOST_FILES.some((file) => path.replaceAll('\\', '/').endsWith(`/${file}`));

export interface HostFound {
  readonly name: HostName;
  readonly scope: HostScope;
  readonly found: FileFound;
}

interface Facts {
  readonly guard_root: string;
  readonly launcher: FileFound;
  readonly launcher_source: Buffer;
  readonly undo: { readonly repo: UndoFiles; readonly user: UndoFiles };
}

/** @throws GuardError GUARD_ERR_SETTINGS if the client's file cannot be edited safely, or belongs to someone else */
export function placeHost(facts: Facts, host: HostFound): readonly PlannedFile[] {
  const { undo, launcher, launcher_source } = facts;
  const known = (host.scope === 'user' ? undo.user : undo.repo)[host.found.target];
  const content = HOST_ROWS[host.name].content(hostLine(facts, host));
  const file =
    'whole' in content
      ? placeOwn(host.found, Buffer.from(content.whole), known, WHOLE_FILE)
      : hookSettings(host.found, { hooks: content.hooks, rules: [] }, known);
  return host.scope === 'user'
    ? [file]
    : [placeOwn(launcher, launcher_source, undo.repo[launcher.target], LAUNCHER_FILE), file];
}

/**
 * Runs the launcher committed with it, or the guard of one user. Always by the name `node`: the path of a particular Node
 * would change with it, and invalidate what people trusted.
 */
export function hostLine(
  { guard_root }: Pick<Facts, 'guard_root'>,
  { name, scope }: Pick<HostFound, 'name' | 'scope'>,
): HostLine {
  const program =
    scope === 'user'
      ? `${shellWord(`${guard_root}/dist/hook.cjs`)} guard`
      : `"${HOST_ROWS[name].root}/${LAUNCHER}"`;
  const line = `${NO_CERTIFICATES}node ${program} --host ${name}`;
  return (closed) => (closed === undefined ? line : failClosed(line));
}
