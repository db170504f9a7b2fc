/**
 * The published JSON Schema (`guard.schema.json`), made from the same table that the checker uses. Not part of
 * the hook: `node scripts/schema.mjs` writes the file, a test compares it.
 */
import { FILE_KEYS, PLACE_PATTERN, SERVER_PATTERN, TOOL_PATTERN } from './check.ts';
import { formatDuration } from './duration.ts';
import { UNDO_DEFAULTS, UNDO_MAX } from '../core/undo-limits.ts';
import { UNDO_AGE_MIN_MS, UNDO_GLOBS_MAX } from './undo-keys.ts';
import { DEFAULT_BOUNDS } from '../core/agent-limits.ts';
import { BOUND_MAX, HARNESS_DEFAULTS, STREAM_TIMEOUT_MS } from './harness-keys.ts';
import { type ConfigFile, DEFAULTS, KEYS, PRESET } from './schema.ts';

/** One sentence per key; docs/configuration.md has the whole story. */
export const ABOUT: Readonly<Record<keyof ConfigFile, string>> = {
  $schema: 'Where this schema is, for editors.',
  preset:
    'A set of values: standard, strict (unread files are denied too), auto (leases are taken by themselves).',
  enforcement: 'Whether a write needs a lease: required, taken by itself (auto), or not judged (off).',
  unread:
    'Which existing files must be read before they are written: changed by somebody else, always, or off.',
  commands:
    'Whether a command line over a file that nobody holds takes its lease until it ends (take), or must find it taken (required).',
  unresolved:
    'What becomes of a command line of which nobody can tell where it writes: it passes, or it is denied (deny).',
  ttl: "How long a lease lasts beyond its holder's last activity.",
  idle: 'How long a holder may be inactive before its lease yields to a waiter.',
  release_on:
    'When leases on paths end by themselves: at the end of a turn (stop), of the session, or never.',
  durability: 'What a record survives: the death of any process, or power loss too (fsync).',
  deadline: 'How long guard may take for one answer; then it denies.',
  fence:
    'Whether files that others hold are read-only for commands: where the kernel allows it (auto), never (off), or else commands that may write are denied (required).',
  reservation_quota: 'How many reservations one agent may have at a time.',
  messages_per_minute: 'How many messages one agent may send in a minute.',
  escalate:
    'What a request for a file that nobody answered in time leads to: nothing (off), a record, or a reminder too.',
  mcp: 'MCP tools that read or write files, so that guard judges them like the built-in ones; and which roles get all harness tools.',
  deadlock: 'Which agent of a deadlock must let go, and what happens to it.',
  lock_servers: 'Server keys of other lock servers whose waits count in the search for deadlocks.',
  tasksDir: 'Where the tasks of drafted agents are kept, below the root of the checkout.',
  rolesDir: 'Where the role files of drafted agents are, below the root of the checkout.',
  agents: 'How deep agents may draft agents, and how many may run at once.',
  undo: 'How much is kept of files for guard undo and guard blame, how long, and what not at all.',
  allow_weaker: 'User configuration only: let repositories and the environment weaken guard.',
};

const DEFAULT_TEXT: Readonly<Partial<Record<keyof ConfigFile, string>>> = {
  preset: 'standard',
  enforcement: DEFAULTS.enforcement,
  unread: DEFAULTS.unread,
  commands: DEFAULTS.commands,
  unresolved: DEFAULTS.unresolved,
  release_on: DEFAULTS.release_on,
  durability: DEFAULTS.durability,
  ttl: formatDuration(DEFAULTS.ttl),
  idle: formatDuration(DEFAULTS.idle),
  deadline: formatDuration(DEFAULTS.deadline),
  fence: DEFAULTS.fence,
};

type Schema = Readonly<Record<string, unknown>>;

const object = (properties: Schema, required: readonly string[] = []): Schema => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...(required.length > 0 ? { required } : {}),
});

const TOOLS: Schema = {
  type: 'array',
  items: object(
    {
      tool: { type: 'string', pattern: TOOL_PATTERN },
      paths: { type: 'array', minItems: 1, items: { type: 'string', pattern: PLACE_PATTERN } },
    },
    ['tool', 'paths'],
  ),
};

const VALUES: Readonly<Record<keyof ConfigFile, Schema>> = {
  $schema: { type: 'string' },
  preset: PRESET.schema,
  enforcement: KEYS.enforcement.schema,
  unread: KEYS.unread.schema,
  commands: KEYS.commands.schema,
  unresolved: KEYS.unresolved.schema,
  ttl: KEYS.ttl.schema,
  idle: KEYS.idle.schema,
  release_on: KEYS.release_on.schema,
  durability: KEYS.durability.schema,
  deadline: KEYS.deadline.schema,
  fence: KEYS.fence.schema,
  reservation_quota: { ...KEYS.reservation_quota.schema, default: DEFAULTS.reservation_quota },
  messages_per_minute: { ...KEYS.messages_per_minute.schema, default: DEFAULTS.messages_per_minute },
  escalate: { ...KEYS.escalate.schema, default: DEFAULTS.escalate },
  mcp: object({
    writers: TOOLS,
    readers: TOOLS,
    fullAccessCategories: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: HARNESS_DEFAULTS.full_access,
    },
    streamTimeout: {
      type: 'integer',
      minimum: STREAM_TIMEOUT_MS.min,
      maximum: STREAM_TIMEOUT_MS.max,
      default: HARNESS_DEFAULTS.stream_timeout_ms,
    },
  }),
  deadlock: object({
    victim: { ...KEYS.deadlock_victim.schema, default: DEFAULTS.deadlock_victim },
    resolve: { ...KEYS.deadlock_resolve.schema, default: DEFAULTS.deadlock_resolve },
  }),
  lock_servers: { type: 'array', items: { type: 'string', pattern: SERVER_PATTERN } },
  tasksDir: { type: 'string', minLength: 1, default: HARNESS_DEFAULTS.tasks_dir },
  rolesDir: { type: 'string', minLength: 1, default: HARNESS_DEFAULTS.roles_dir },
  agents: object({
    depth: { type: 'integer', minimum: 1, maximum: BOUND_MAX, default: DEFAULT_BOUNDS.depth },
    running: { type: 'integer', minimum: 1, maximum: BOUND_MAX, default: DEFAULT_BOUNDS.running },
  }),
  undo: object({
    enabled: { type: 'boolean', default: UNDO_DEFAULTS.enabled },
    max_mb: {
      type: 'integer',
      minimum: 1,
      maximum: UNDO_MAX.mb,
      default: UNDO_DEFAULTS.max_bytes / 1_048_576,
    },
    max_age: {
      anyOf: [
        { type: 'string', pattern: '^\\d{1,9}(\\.\\d{1,3})?(ms|s|m|h)?$' },
        { type: 'number', minimum: UNDO_AGE_MIN_MS / 1000, maximum: UNDO_MAX.age_ms / 1000 },
      ],
      default: formatDuration(UNDO_DEFAULTS.max_age_ms),
    },
    exclude: {
      type: 'array',
      maxItems: UNDO_GLOBS_MAX,
      items: { type: 'string', minLength: 1 },
      default: [],
    },
  }),
  allow_weaker: { type: 'boolean', default: false },
};

function property(name: keyof ConfigFile): Schema {
  const text = DEFAULT_TEXT[name];
  return { description: ABOUT[name], ...VALUES[name], ...(text === undefined ? {} : { default: text }) };
}

export function jsonSchema(): Schema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'guard configuration',
    description:
      'guard.config.json at the root of a checkout, or guard/config.json in the user configuration directory.',
    ...object(Object.fromEntries(FILE_KEYS.map((name) => [name, property(name)]))),
  };
}
