/** Keys that are the user's own word: whoever may say them weakens guard, or has a program run. */
import type { JsonObject as Fields } from '../core/json-object.ts';
import { ENGINE_KEYS, type EngineLayer, ON_END_KEY, OWN_KEYS } from './own-key-rows.ts';
import { readFileKey, readKeys } from './read-keys.ts';
import type { ReportWrong as Report } from './read-settings.ts';

/** What a file may hold depends on whose it is. */
export type FileOwner = 'user' | 'repository';

export interface OwnKeys {
  readonly engine: EngineLayer;
  readonly on_end: readonly string[];
  readonly allow_weaker: boolean;
}

export function readOwnKeys(fields: Fields, owner: FileOwner, report: Report): OwnKeys {
  const { $schema } = fields;
  if ($schema !== undefined && typeof $schema !== 'string')
    report('/$schema', '"$schema" must be a string', 'Remove it.');
  for (const key of OWN_KEYS) {
    const reason = `"${key.place}" is not for a repository to say`;
    if (owner === 'user') readFileKey(key, fields, report);
    else if (fields[key.place] !== undefined)
      report(`/${key.place}`, reason, 'Put it into your user configuration.');
  }
  // What is wrong about them is said.
  const unsaid: Report = () => undefined;
  const engine = owner === 'user' ? readKeys<EngineLayer>(ENGINE_KEYS, fields, unsaid) : {};
  const on_end = readFileKey(ON_END_KEY, fields, unsaid) ?? [];
  return { engine, on_end, allow_weaker: fields['allow_weaker'] === true };
}
