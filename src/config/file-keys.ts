/**
 * The keys that only a file can set, one row each: where the key is, what it may contain, and its schema. The checker
 * (check.ts), the layers and the published schema (json-schema.ts) are generated from the rows.
 */
import { DEFAULT_BOUNDS } from '../core/agent-limits.ts';
import { ARCHIVE_DEFAULTS, ARCHIVE_LEAST, ARCHIVE_MOST, type ArchiveLayer } from '../core/archive-limits.ts';
import { unlessRefused } from '../core/attempt.ts';
import { parseGlob } from '../core/glob/parse.ts';
import { UNDO_DEFAULTS, UNDO_MAX, type UndoLayer } from '../core/undo-limits.ts';
import { directoryKey, type FileKey, listKey, spanKey, truthKey, wholeKey } from './file-key-kinds.ts';
import { HARNESS_DEFAULTS, type HarnessLayer } from './harness-keys.ts';

/** Every field of a layer has its row. */
export type Rows<L> = { readonly [K in keyof L]-?: FileKey<NonNullable<L[K]>> };

const BOUND_MAX = 100;

export const HARNESS_KEYS: Rows<HarnessLayer> = {
  full_access: listKey('mcp/fullAccessCategories', {
    items: { minLength: 1 },
    default: HARNESS_DEFAULTS.full_access,
    fits: (name) => name !== '',
    wrong: {
      reason: '"fullAccessCategories" must be a list of strings',
      hint: 'Write a list of categories: ["conversational"].',
    },
  }),
  stream_timeout_ms: wholeKey('mcp/streamTimeout', {
    min: 1_000,
    max: 86_400_000,
    default: HARNESS_DEFAULTS.stream_timeout_ms,
  }),
  tasks_dir: directoryKey('tasksDir', HARNESS_DEFAULTS.tasks_dir),
  roles_dir: directoryKey('rolesDir', HARNESS_DEFAULTS.roles_dir),
  depth: wholeKey('agents/depth', { min: 1, max: BOUND_MAX, default: DEFAULT_BOUNDS.depth }),
  running: wholeKey('agents/running', { min: 1, max: BOUND_MAX, default: DEFAULT_BOUNDS.running }),
};

const GLOBS_MAX = 64;
/** Sweeping happens about once an hour. */
const AGE_MIN_MS = 3_600_000;

export const UNDO_KEYS: Rows<UndoLayer> = {
  enabled: truthKey('undo/enabled', UNDO_DEFAULTS.enabled),
  max_mb: wholeKey('undo/max_mb', {
    ...{ min: 1, max: UNDO_MAX.mb, unit: ', in MiB' },
    default: UNDO_DEFAULTS.max_bytes / 1_048_576,
  }),
  max_age_ms: spanKey(
    'undo/max_age',
    { min_ms: AGE_MIN_MS, max_ms: UNDO_MAX.age_ms },
    UNDO_DEFAULTS.max_age_ms,
  ),
  exclude: listKey('undo/exclude', {
    items: { minLength: 1 },
    max: GLOBS_MAX,
    default: [],
    fits: isGlob,
    wrong: {
      reason: '"exclude" must be a list of globs',
      hint: `Write at most ${GLOBS_MAX} globs: ["*.sqlite", "fixtures/private/**"].`,
    },
  }),
};

export const ARCHIVE_KEYS: Rows<ArchiveLayer> = {
  max_mb: wholeKey('archive_keep/max_mb', {
    ...{ min: ARCHIVE_LEAST.mb, max: ARCHIVE_MOST.mb, unit: ', in MiB' },
    default: ARCHIVE_DEFAULTS.max_bytes / 1_048_576,
  }),
  max_age_ms: spanKey(
    'archive_keep/max_age',
    { min_ms: ARCHIVE_LEAST.age_ms, max_ms: ARCHIVE_MOST.age_ms },
    ARCHIVE_DEFAULTS.max_age_ms,
  ),
};

function isGlob(text: string): boolean {
  const isParsed = (): boolean => {
    parseGlob(text);
    return text !== '';
  };
  return unlessRefused(isParsed, () => false);
}

/** The rows of all objects in the file that contain only such keys. */
export const PLACED_KEYS = [HARNESS_KEYS, UNDO_KEYS, ARCHIVE_KEYS].flatMap((keys) =>
  Object.values<FileKey<unknown>>(keys),
);

/** The settings of one file. */
export interface WarmLayer {
  readonly warm?: boolean;
  readonly idle_ms?: number;
}

/** Long enough for a person who thinks and comes back; an idle server uses 60 MB. */
export const WARM_IDLE_MS = 900_000;

export const WARM_KEYS: Rows<WarmLayer> = {
  warm: truthKey('warm', false),
  idle_ms: spanKey('warm_idle', { min_ms: 1_000, max_ms: 86_400_000 }, WARM_IDLE_MS),
};

export const SERVERS_KEY = listKey('lock_servers', {
  items: { pattern: '^[\\w-]{1,64}$' },
  fits: (name) => /^[\w-]{1,64}$/.test(name),
  wrong: {
    reason: '"lock_servers" must be a list of server keys',
    hint: 'Write the keys under which the client knows the servers: ["mala-locking"].',
  },
});
