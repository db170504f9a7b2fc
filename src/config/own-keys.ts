/** Keys reserved for the user: setting them can weaken guard or run a program. */
import type { JsonObject as Fields } from '../core/json-object.ts';
import {
  ALLOW_WEAKER_KEY,
  ENGINE_KEYS,
  type EngineLayer,
  ON_ATTENTION_KEY,
  ON_END_KEY,
  OTLP_ENDPOINT_KEY,
  OWN_KEYS,
} from './own-key-rows.ts';
import { readFileKey, readKeys } from './read-keys.ts';
import type { ReportWrong as Report } from './read-settings.ts';

/** What a file may contain depends on its owner. */
export type FileOwner = 'user' | 'repository';

export interface OwnKeys {
  readonly engine: EngineLayer;
  readonly on_end: readonly string[];
  readonly on_attention: readonly string[];
  readonly otlp_endpoint: string | null;
  readonly allow_weaker: boolean;
}

export function readOwnKeys(fields: Fields, owner: FileOwner, report: Report): OwnKeys {
  const { $schema } = fields;
  if ($schema !== undefined && typeof $schema !== 'string')
    report('/$schema', '"$schema" must be a string', 'Remove it.');
  const own = owner === 'user' ? fields : {};
  for (const { place } of owner === 'user' ? [] : OWN_KEYS.filter((key) => fields[key.place] !== undefined)) {
    report(`/${place}`, `"${place}" cannot be set by a repository`, 'Put it into your user configuration.');
  }
  return {
    engine: readKeys<EngineLayer>(ENGINE_KEYS, own, report),
    on_end: readFileKey(ON_END_KEY, own, report) ?? [],
    on_attention: readFileKey(ON_ATTENTION_KEY, own, report) ?? [],
    otlp_endpoint: readFileKey(OTLP_ENDPOINT_KEY, own, report) ?? null,
    allow_weaker: readFileKey(ALLOW_WEAKER_KEY, own, report) ?? false,
  };
}
