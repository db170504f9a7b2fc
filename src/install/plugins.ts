/** The plugins that a session here would load, as the client keeps them below its home. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn } from '../repo/names-in.ts';
import { textOf } from '../repo/small-file.ts';
import type { Environment } from '../repo/user-dirs.ts';
import { asList, isObject, type JsonObject, parsedObject } from '../core/json-object.ts';
import { claudeHome } from './scopes.ts';
import type { SettingsSeen } from './settings-seen.ts';

export interface Plugin {
  readonly id: string;
  readonly root: string;
  /** From hooks/hooks.json and the files that plugin.json adds to it; empty if there are none. */
  readonly hooks: JsonObject;
}

/** Installed from a marketplace and enabled, or in `skills/` of the client's home, where plugins load automatically. */
export function enabledPlugins(
  settings: readonly Pick<SettingsSeen, 'value'>[],
  env: Environment,
): readonly Plugin[] {
  const home = claudeHome(env);
  const enabled = enabledIds(settings);
  const installed = installedRoots(join(home, 'plugins', 'installed_plugins.json')).filter(({ id }) =>
    enabled.has(id),
  );
  return [...installed, ...selfLoading(join(home, 'skills'))].map(({ id, root }) => ({
    id,
    root,
    hooks: hooksOf(root),
  }));
}

/** A later file wins, so a project can turn a user's plugin off. */
function enabledIds(settings: readonly Pick<SettingsSeen, 'value'>[]): ReadonlySet<string> {
  const merged = settings.map(({ value }) => value['enabledPlugins']).filter(isObject);
  const flags = merged.reduce<JsonObject>((all, some) => ({ ...all, ...some }), {});
  return new Set(Object.keys(flags).filter((id) => flags[id] === true));
}

function installedRoots(file: string): readonly { readonly id: string; readonly root: string }[] {
  const plugins = objectIn(file)['plugins'];
  if (!isObject(plugins)) return [];
  return Object.entries(plugins).flatMap(([id, places]) =>
    asList(places)
      .filter(isObject)
      .flatMap(({ installPath }) => (typeof installPath === 'string' ? [{ id, root: installPath }] : [])),
  );
}

function selfLoading(dir: string): readonly { readonly id: string; readonly root: string }[] {
  return namesIn(dir)
    .map((name) => ({ id: `${name}@skills-dir`, root: join(dir, name) }))
    .filter(({ root }) => existsSync(join(root, '.claude-plugin', 'plugin.json')));
}

/** The hooks of a plugin's own file, and of the files that its plugin.json adds. */
function hooksOf(root: string): JsonObject {
  const { hooks: more } = objectIn(join(root, '.claude-plugin', 'plugin.json'));
  const added = [more].flat().filter((path) => typeof path === 'string');
  const [own = {}, ...others] = ['hooks/hooks.json', ...added].map((path) => objectIn(join(root, path)));
  const tables = [own, ...others].map(({ hooks }) => hooks);
  // Event names are whatever a plugin's author wrote, even `constructor`.
  const merged = new Map<string, unknown[]>();
  for (const [event, groups] of tables.filter(isObject).flatMap((table) => Object.entries(table)))
    merged.set(event, [...(merged.get(event) ?? []), ...asList(groups)]);
  return others.length === 0 ? own : { ...own, hooks: Object.fromEntries(merged) };
}

/** Lists of a few plugins; anything larger is something else. */
const MAX_BYTES = 4_194_304;

const objectIn = (file: string): JsonObject => parsedObject(textOf(file, MAX_BYTES));
