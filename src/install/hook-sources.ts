/** The sources of guard's hooks in a session here: settings files, and the plugin. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Repo } from '../repo/locate.ts';
import type { Environment } from '../repo/user-dirs.ts';
import type { Patient } from './check.ts';
import { LAUNCHER } from './command.ts';
import { guardLines, type HookLine } from './hook-lines.ts';
import { enabledPlugins } from './plugins.ts';
import { seenSettings } from './settings-seen.ts';

export interface HookSource {
  readonly kind: 'settings' | 'plugin';
  /** The settings file, or the root of the plugin. */
  readonly path: string;
  readonly name: string;
  readonly lines: readonly HookLine[];
}

/** Sources without a guard hook are left out. */
export function guardSources({ settings, env }: Pick<Patient, 'settings' | 'env'>): readonly HookSource[] {
  const files = settings.map(({ scope, path, value }) => ({
    kind: 'settings' as const,
    path,
    name: `${scope} settings`,
    lines: guardLines(value),
  }));
  const plugins = enabledPlugins(settings, env).map(({ id, root, hooks }) => ({
    kind: 'plugin' as const,
    path: root,
    name: `plugin ${id}`,
    lines: guardLines(hooks),
  }));
  return [...files, ...plugins].filter(({ lines }) => lines.length > 0);
}

/** Whether a session that starts here would ask guard before it writes, because of a settings file or the plugin. */
export function isHooked({ root }: Pick<Repo, 'root'>, env: Environment): boolean {
  const sources = guardSources({ settings: seenSettings(root, env), env });
  const launcher = join(root, LAUNCHER);
  return sources.some(({ lines }) =>
    lines.some(
      ({ event, command }) => event === 'PreToolUse' && (!command.includes(LAUNCHER) || existsSync(launcher)),
    ),
  );
}
