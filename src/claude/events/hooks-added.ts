/** Hook commands that an agent added to a settings file: allowed, recorded, and shown to a person. */
import { settingsPath } from '../../install/scopes.ts';
import type { Hook } from '../context.ts';
import { addedHooks, foreignHooks } from '../../settings/foreign-hooks.ts';

const SETTINGS = /[/\\]\.claude[/\\]settings(?:\.local)?\.json$/i;

/** If `before` is undefined, the old content is not known, and nothing is reported. */
export function noteHooks(
  hook: Hook,
  file: string,
  before: string | null | undefined,
  textAfter: () => string | null,
): void {
  if (before === undefined) return;
  if (!SETTINGS.test(file) && file !== settingsPath('user', '/', hook.env)) return;
  const after = textAfter();
  if (after === null) return;
  const notices = addedHooks(file, foreignHooks(before ?? ''), foreignHooks(after));
  const { who, home, input } = hook;
  if (notices.length === 0) return;
  home.run({ type: 'noticed', who, tool: input.tool, op: input.tool_use_id, notices });
}
