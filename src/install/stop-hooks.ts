/** Other hooks that may send an agent back to work at the end of its turn, as a session here would load them. */
import { join } from 'node:path';
import { textOf } from '../repo/small-file.ts';
import type { Environment } from '../repo/user-dirs.ts';
import { hookEntries, isGuardHook } from '../settings/hook-entries.ts';
import { type JsonObject, parsedObject } from '../core/json-object.ts';
import { namesIn } from '../repo/names-in.ts';
import { enabledPlugins } from './plugins.ts';
import { managedPath, settingsPath } from './scopes.ts';

/** The client's default for a hook without a `timeout` (measured). */
export const HOOK_TIMEOUT_MS = 600_000;

/**
 * The longest time that the slowest of them may take; 0 if there is none. Hooks that come with an SDK program or an agent's
 * frontmatter are in no file that guard reads.
 */
export function otherStopHooks_ms(event: 'Stop' | 'SubagentStop', root: string, env: Environment): number {
  const settings = settingsRead(root, env);
  const tables = [
    ...settings.map(({ value }) => value),
    ...enabledPlugins(settings, env).map(({ hooks }) => hooks),
  ];
  const timeouts = tables.flatMap((table) => entriesOf(table, event).filter(canSendBack).map(timeoutOf_ms));
  return Math.max(0, ...timeouts);
}

/** Weakest first. A file that is not plain JSON has no hooks for the client either. */
function settingsRead(root: string, env: Environment): { readonly value: JsonObject }[] {
  const own = (['user', 'project', 'local'] as const).map((scope) => settingsPath(scope, root, env));
  return [...own, ...managedFiles()].map((path) => ({ value: parsedObject(textOf(path, SETTINGS_BYTES)) }));
}

/** An administrator's file, and the fragments in the directory next to it. */
function managedFiles(): string[] {
  const file = managedPath();
  if (file === undefined) return [];
  const dir = file.replace(/json$/, 'd');
  const pieces = namesIn(dir).filter((name) => name.endsWith('.json'));
  return [file, ...pieces.sort().map((name) => join(dir, name))];
}

const SETTINGS_BYTES = 4 << 20;

const entriesOf = (table: JsonObject, event: string): readonly JsonObject[] =>
  hookEntries(table).flatMap((found) =>
    found.event === event && Object.keys(found.hook).length > 0 ? [found.hook] : [],
  );

/** The client does not wait for a hook in the background; it wakes the agent only if the hook asked for that. */
const canSendBack = (entry: JsonObject): boolean =>
  !(entry['async'] === true && entry['asyncRewake'] !== true) && !isGuardHook(entry);

function timeoutOf_ms({ timeout }: JsonObject): number {
  return typeof timeout === 'number' && timeout > 0 ? timeout * 1_000 : HOOK_TIMEOUT_MS;
}
