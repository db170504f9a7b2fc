/** Hook commands that an agent added to a settings file: allowed, recorded, and shown to a person. */
import { settingsPath } from '../../install/scopes.ts';
import type { Hook } from '../context.ts';
import { addedHooks, foreignHooks } from '../../settings/foreign-hooks.ts';

const SETTINGS = /[/\\]\.claude[/\\]settings(?:\.local)?\.json$/i;

/** Nearly no file is, and then the pattern need not be compiled. */
const isSettings = (file: string): boolean => file.slice(-5).toLowerCase() === '.json' && SETTINGS.test(file);

/** If `before` is undefined, the old content is not known, and nothing is reported. */
export function noteHooks(
  hook: Hook,
  file: string,
  before: string | null | undefined,
  textAfter: () => string | null,
): void {
  if (before === undefined) return;
  if (!isSettings(file) && file !== settingsPath('user', '/', hook.env)) return;
  const after = textAfter();
  if (after === null) return;
  const notices = addedHooks(file, foreignHooks(before ?? ''), foreignHooks(after));
  const { who, home, input } = hook;
  if (notices.length === 0) return;
  home.run({ type: 'noticed', who, tool: input.tool, op: input.tool_use_id, notices });
}
