/**
 * The published JSON Schema (`guard.schema.json`), generated from the same table that the checker uses. Not part of the
 * hook: `node scripts/schema.mjs` writes the file, and a test compares it.
 */
import { FILE_KEYS, type FileKeyName, namesBelow, PLACE_PATTERN, spelled, TOOL_PATTERN } from './check.ts';
import { PLACED_KEYS, SERVERS_KEY, WARM_KEYS } from './file-keys.ts';
import { OWN_KEYS } from './own-key-rows.ts';
import type { KeySpec } from './key-kinds.ts';
import { KEYS, PRESET, SETTING_NAMES, type Settings } from './schema.ts';

/** One sentence per key; docs/configuration.md has the details. */
export const ABOUT: Readonly<Record<FileKeyName, string>> = {
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
  lease_scope:
    'Whether leases of one worktree say anything to another: no (apart), who has or changed the same path is told (told), or one lease counts in all worktrees (together).',
  mcp: 'MCP tools that read or write files, so that guard judges them like the built-in ones; and which roles get all harness tools.',
  deadlock: 'Which agent of a deadlock must let go, and what happens to it.',
  lock_servers: 'Server keys of other lock servers whose waits count in the search for deadlocks.',
  tasksDir: 'Where the tasks of drafted agents are kept, below the root of the checkout.',
  rolesDir: 'Where the role files of drafted agents are, below the root of the checkout.',
  agents: 'How deep agents may draft agents, and how many may run at once.',
  undo: 'How much is kept of files for guard undo and guard blame, how long, and what not at all.',
  archive_keep: 'How much of the archive of the ledger is kept, compressed, and how long.',
  warm: 'Whether guard init writes hooks that a server answers, where one runs, instead of a process each.',
  warm_idle: 'How long that server stays when no hook asks it.',
  engine:
    'User configuration only: the address of the database that has the ledgers of repositories that machines share.',
  engine_direct: 'User configuration only: past a pooler, to be woken by notifications.',
  engine_pooled:
    'User configuration only: a pooler stands before the database, which gives each transaction another connection.',
  engine_from_environment:
    'User configuration only: GUARD_ENGINE and GUARD_MACHINE_ID count in place of what stands here.',
  engine_asynchronous:
    'User configuration only: a database whose standbys are all asynchronous will do; a failover may grant locks twice.',
  on_end:
    'User configuration only: a program and its arguments, called when a drafted agent has ended; its environment says how.',
  on_attention:
    'User configuration only: a program and its arguments, called by guard watch --notify when something needs a person.',
  otlp_endpoint:
    'User configuration only: the address of an OpenTelemetry collector, to which guard log --otlp sends the ledger.',
  allow_weaker: 'User configuration only: let repositories and the environment weaken guard.',
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

const FILE_ROWS = [...PLACED_KEYS, ...Object.values(WARM_KEYS), SERVERS_KEY, ...OWN_KEYS];

const ROWS: Readonly<Record<string, Schema>> = Object.fromEntries([
  ['preset', { ...PRESET.schema, default: PRESET.default }],
  ...SETTING_NAMES.map((name) => [spelled(name), ofSetting(name)]),
  ...FILE_ROWS.map(({ place, schema }) => [place, schema]),
  ...['mcp/writers', 'mcp/readers'].map((place) => [place, TOOLS]),
  ['$schema', { type: 'string' }],
]) as Readonly<Record<string, Schema>>;

function ofSetting(name: keyof Settings): Schema {
  const key = KEYS[name] as KeySpec<never>;
  return { ...key.schema, default: key.show(key.default) };
}

/** An object of the file has no row of its own. */
const schemaOf = (name: string): Schema =>
  ROWS[name] ?? object(Object.fromEntries(namesBelow(name).map((key) => [key, ROWS[`${name}/${key}`]])));

const property = (name: FileKeyName): Schema => ({ description: ABOUT[name], ...schemaOf(name) });

export function jsonSchema(): Schema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'guard configuration',
    description:
      'guard.config.json at the root of a checkout, or guard/config.json in the user configuration directory.',
    ...object(Object.fromEntries(FILE_KEYS.map((name) => [name, property(name)]))),
  };
}
