/** What a file may hold depends on whose it is: these keys are the user's own word. */
import type { JsonObject } from '../core/json-object.ts';
import { ENGINE_KEYS, type EngineLayer, WEAKER_KEY } from './file-keys.ts';
import { readFileKey } from './read-keys.ts';
import type { ReportWrong } from './read-settings.ts';

export type FileOwner = 'user' | 'repository';

export type OwnKeyName = 'allow_weaker' | keyof EngineLayer;

export const OWN_KEYS = ['allow_weaker', ...Object.values(ENGINE_KEYS).map(({ place }) => place)];

export function checkOwner(fields: JsonObject, owner: FileOwner, report: ReportWrong): void {
  const { $schema } = fields;
  if ($schema !== undefined && typeof $schema !== 'string')
    report('/$schema', '"$schema" must be a string', 'Remove it.');
  if (owner === 'user') readFileKey(WEAKER_KEY, fields, report);
  const hint = 'Put it into your user configuration.';
  for (const name of owner === 'user' ? [] : OWN_KEYS)
    if (fields[name] !== undefined) report(`/${name}`, `"${name}" is not for a repository to say`, hint);
}
