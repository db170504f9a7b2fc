/** The hook commands in a settings file that run anything other than guard's launcher. */
import { asText, parsedObject } from '../core/json-object.ts';
import type { Notice } from '../core/noticed.ts';
import { plain } from '../core/plain.ts';
import { hookEntries } from './hook-entries.ts';
import { runsLauncher } from './runs-guard.ts';

export interface HookCommand {
  readonly event: string;
  readonly command: string;
}

/** Empty for text that the client cannot read either. For a hook without a command (prompt, http), its JSON. */
export const foreignHooks = (text: string): readonly HookCommand[] =>
  hookEntries(parsedObject(text))
    .map(({ event, hook }) => ({ event, command: asText(hook['command']) || JSON.stringify(hook) }))
    .filter(({ command }) => !runsLauncher(command));

const COMMAND_CHARS = 400;

const noticeOf = (file: string, { event, command }: HookCommand): Notice => ({
  what: 'hook',
  file,
  event: plain(event).slice(0, 80),
  detail: plain(command).slice(0, COMMAND_CHARS),
});

export function addedHooks(
  file: string,
  before: readonly HookCommand[],
  after: readonly HookCommand[],
): Notice[] {
  const isNew = (hook: HookCommand): boolean =>
    !before.some(({ event, command }) => event === hook.event && command === hook.command);
  return after.filter(isNew).map((hook) => noticeOf(file, hook));
}

/** Whether the hook of a notice is in this text. */
export const hasHook = (text: string, { file, event, detail }: Notice): boolean =>
  addedHooks(file, [], foreignHooks(text)).some((one) => one.event === event && one.detail === detail);
