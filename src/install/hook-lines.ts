/** Every hook entry of settings or of a plugin as a flat list, each with its location. */
import { isGuardHookCommand } from './command.ts';
import { type FoundHook, hookEntries } from '../settings/hook-entries.ts';
import type { JsonObject } from '../core/json-object.ts';

export interface HookLine extends Omit<FoundHook, 'hook'> {
  readonly command: string;
  readonly timeout: unknown;
  readonly onFailure: unknown;
}

/** Only well-formed command hooks; settings/hook-shapes.ts reports the others. */
export const hookLines = (settings: JsonObject): readonly HookLine[] =>
  hookEntries(settings).flatMap(({ hook, ...where }) => {
    const { command, timeout, onFailure } = hook;
    return typeof command === 'string' ? [{ ...where, command, timeout, onFailure }] : [];
  });

export const guardLines = (settings: JsonObject): readonly HookLine[] =>
  hookLines(settings).filter((hook) => isGuardHookCommand(hook.command));
