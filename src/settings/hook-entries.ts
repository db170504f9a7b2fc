/** The hooks of settings or of a plugin, one by one: the only place that reads their nested lists. Pure. */
import { asList, asObject, type JsonObject } from '../core/json-object.ts';
import { isGuardHookCommand } from '../install/command.ts';

export interface FoundHook {
  readonly event: string;
  /** `null` if there is none, so it matches everything. */
  readonly matcher: string | null;
  /** As written; empty if it is not an object. */
  readonly hook: JsonObject;
  /** Such as `hooks.PreToolUse[0].hooks[1]`. */
  readonly at: string;
}

/** A value that is not a list or an object as required counts as empty; hook-shapes.ts reports it. */
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
