/** The hooks of settings, or of a plugin, one by one: the one reading of their nested lists. Pure. */
import { asList, asObject, type JsonObject } from '../core/json-object.ts';
import { isGuardHookCommand } from '../install/command.ts';

export interface FoundHook {
  readonly event: string;
  /** Null: none given, so it matches everything. */
  readonly matcher: string | null;
  /** As it stands there; empty where it is no object. */
  readonly hook: JsonObject;
  /** As `hooks.PreToolUse[0].hooks[1]`. */
  readonly at: string;
}

/** What is no list and no object where one should be counts as empty; hook-shapes.ts reports it. */
export const hookEntries = (settings: JsonObject): readonly FoundHook[] =>
  Object.entries(asObject(settings['hooks'])).flatMap(([event, groups]) =>
    asList(groups).flatMap((group, nth) => {
      const { matcher, hooks } = asObject(group);
      return asList(hooks).map((hook, at) => ({
        event,
        matcher: typeof matcher === 'string' ? matcher : null,
        hook: asObject(hook),
        at: `hooks.${event}[${nth}].hooks[${at}]`,
      }));
    }),
  );

export const isGuardHook = (hook: unknown): boolean => {
  const { command } = asObject(hook);
  return typeof command === 'string' && isGuardHookCommand(command);
};
