// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Why the client ignores a settings file that it cannot read. */
import { readSettingsText, SettingsFault, type TextPosition } from './settings-text.ts';

export interface Ignored {
  readonly reason: string;
  readonly place: TextPosition | null;
}

export function whyIgnored(bytes: Uint8Array): Ignored {
  const read = readSettingsText(bytes);
  return read instanceof SettingsFault
    ? { reason: read.reason, place: read.place }
    : { reason: 'it cannot be read', place: null };
}
