/** Every hook entry of settings or of a plugin as a flat list, each with where it stands. */
import { isGuardHookCommand } from './command.ts';
import { isObject } from './settings-text.ts';
import type { JsonObject } from './settings-text.ts';

export interface HookLine {
  readonly event: string;
  /** Null: none given, so it matches everything. */
  readonly matcher: string | null;
  readonly command: string;
  readonly timeout: unknown;
  readonly onFailure: unknown;
  /** As `hooks.PreToolUse[0].hooks[1]`. */
  readonly at: string;
}

/** Only well-formed command hooks; settings/hook-shapes.ts reports the others. */
export function hookLines(settings: JsonObject): readonly HookLine[] {
  const hooks = isObject(settings['hooks']) ? settings['hooks'] : {};
  return Object.entries(hooks).flatMap(([event, groups]) =>
    listOf(groups).flatMap((group, nth) => {
      const matcher = isObject(group) && typeof group['matcher'] === 'string' ? group['matcher'] : null;
      const entries = isObject(group) ? listOf(group['hooks']) : [];
      return entries.flatMap((entry, at) =>
        isObject(entry) && typeof entry['command'] === 'string'
          ? [line(event, matcher, entry, entry['command'], `hooks.${event}[${nth}].hooks[${at}]`)]
          : [],
      );
    }),
  );
}

export const guardLines = (settings: JsonObject): readonly HookLine[] =>
  hookLines(settings).filter((hook) => isGuardHookCommand(hook.command));

function line(
  event: string,
  matcher: string | null,
  entry: JsonObject,
  command: string,
  at: string,
): HookLine {
  return { event, matcher, command, timeout: entry['timeout'], onFailure: entry['onFailure'], at };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
