/** Where guard's hooks come from in a session here: settings files, and the plugin. */
import type { Patient } from './check.ts';
import { guardLines } from './hook-lines.ts';
import type { HookLine } from './hook-lines.ts';
import { enabledPlugins } from './plugins.ts';

export interface HookSource {
  readonly kind: 'settings' | 'plugin';
  /** The settings file, or the root of the plugin. */
  readonly path: string;
  readonly name: string;
  readonly lines: readonly HookLine[];
}

/** Sources without a hook of guard are left out. */
export function guardSources({ settings, env }: Patient): readonly HookSource[] {
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
