/** The keys that only the user's own file can set, one row each. */
import { type FileKey, listKey, textKey, truthKey } from './file-key-kinds.ts';
import type { Rows } from './file-keys.ts';

/** From the user's own file: the engine that stores the ledgers of joined repositories (docs/fleet.md). */
export interface EngineLayer {
  readonly engine?: string;
  readonly engine_direct?: string;
  readonly engine_pooled?: boolean;
  readonly engine_from_environment?: boolean;
  readonly engine_asynchronous?: boolean;
}

const addressKey = (place: string) =>
  textKey(place, /^postgres(?:ql)?:\/\/./, {
    reason: `"${place}" must be the address of a PostgreSQL database`,
    hint: 'Write "postgres://USER@HOST:PORT/DATABASE?sslmode=verify-full&sslrootcert=FILE".',
  });

export const ENGINE_KEYS: Rows<EngineLayer> = {
  engine: addressKey('engine'),
  engine_direct: addressKey('engine_direct'),
  engine_pooled: truthKey('engine_pooled', false),
  engine_from_environment: truthKey('engine_from_environment', false),
  engine_asynchronous: truthKey('engine_asynchronous', false),
};

/** Setting such a key runs a program. */
const programKey = (place: string, hint: string) =>
  listKey(place, {
    items: { minLength: 1 },
    max: 64,
    default: [],
    fits: (word) => word !== '' && !word.includes('\0'),
    wrong: { reason: `"${place}" must be a list of words, a program and its arguments`, hint },
  });

export const ON_END_KEY = programKey(
  'on_end',
  'Write {"on_end": ["/home/me/bin/agent-ended"]}; GUARD_ENDED_STATUS and others say how it ended.',
);

export const ON_ATTENTION_KEY = programKey(
  'on_attention',
  'Write {"on_attention": ["/home/me/bin/look-at-guard"]}; GUARD_ATTENTION_TEXT and others say why.',
);

/** The data sent there names files and agents of all of this user's repositories. */
export const OTLP_ENDPOINT_KEY = textKey('otlp_endpoint', /^https?:\/\/[^\s@?#]+$/, {
  reason: '"otlp_endpoint" must be the http or https address of an OpenTelemetry collector',
  hint: 'Write "http://127.0.0.1:4318"; guard adds /v1/traces and /v1/logs.',
});

export const ALLOW_WEAKER_KEY = truthKey('allow_weaker', false);

/** Keys of the user's own file alone. */
export const OWN_KEYS: readonly FileKey<unknown>[] = [
  ON_END_KEY,
  ON_ATTENTION_KEY,
  OTLP_ENDPOINT_KEY,
  ALLOW_WEAKER_KEY,
  ...Object.values<FileKey<unknown>>(ENGINE_KEYS),
];
