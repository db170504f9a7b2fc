/** Whether guard's status line is wanted in a settings file, and which command it runs alongside. */
import { asObject, asText, parsedObject } from '../core/json-object.ts';
import { textOf } from '../repo/small-file.ts';
import type { Environment } from '../repo/user-dirs.ts';
import type { InstallFacts } from './plan.ts';
import { type Scope, settingsPath } from './scopes.ts';
import { settingsIn } from './settings-text.ts';
import { foreignLine, isOwnLine, STATUS_LINE, type WantedLine } from './status-line.ts';

interface Placed extends Pick<InstallFacts, 'scope' | 'settings' | 'command' | 'events'> {
  readonly root: string;
  readonly env: Environment;
}

/** The end of a pause, and new waiters while nothing happens here, show within this time. */
const REFRESH_S = 10;
const SETTINGS_BYTES = 4 << 20;

/**
 * `null`: remove it; `undefined`: it is not there, and no one asked for it. Never in a committed file.
 * @param wish `null` or absent: leave it unchanged
 */
export function wantedLine(wish: boolean | null = null, placed: Placed): WantedLine | null | undefined {
  const { scope, settings, command, events, root, env } = placed;
  const { bytes } = settings[scope === 'user' ? 'user' : 'local'];
  const here = asText(asObject(settingsIn(bytes)[STATUS_LINE])['command']);
  if (wish === false) return null;
  if (wish === null && !isOwnLine(here)) return undefined;
  const lower: readonly Scope[] = scope === 'user' ? [] : ['project', 'user'];
  const below = lower
    .map((one) => foreignLine(parsedObject(textOf(settingsPath(one, root, env), SETTINGS_BYTES))))
    .find((one) => one !== null);
  return { command, below: below ?? null, refresh_s: events === 'all' ? REFRESH_S : null };
}
