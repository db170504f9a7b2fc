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
    'A set of values: standard, strict (unread files are denied too), auto (leases are taken automatically).',
  enforcement: 'Whether a write needs a lease: required, taken automatically (auto), or not checked (off).',
  unread:
    'Which existing files must be read before they are written: changed by someone else, always, or off.',
  commands:
    'Whether a command line leases a free file until it ends (take), or its agent must already hold it (required).',
  unresolved:
    'What happens to a command line whose targets cannot be determined: it passes (pass), or it is denied (deny).',
  ttl: "How long a lease lasts beyond its holder's last activity.",
  idle: 'How long a holder may be inactive before its lease yields to a waiter.',
  release_on: 'When leases on paths end on their own: at the end of a turn (stop), of the session, or never.',
  durability: 'What a record survives: the death of any process, or power loss too (fsync).',
  deadline: 'How long guard may take to answer; after that it denies.',
  fence:
    'Whether files that others hold are read-only for commands: where the kernel allows it (auto), never (off), or else commands that may write are denied (required).',
  reservation_quota: 'How many reservations one agent may have at a time.',
  messages_per_minute: 'How many messages one agent may send in a minute.',
  escalate:
    'What follows a request for a file that was not answered in time: nothing (off), a record, or also a reminder.',
  lease_scope:
    'What leases in one worktree mean to another: nothing (apart), agents are told who has or changed the same path (told), or one lease counts in all worktrees (together).',
  mcp: 'MCP tools that read or write files, so that guard checks them like the built-in ones; and which roles get all harness tools.',
  deadlock: 'Which agent of a deadlock must give way, and what happens to it.',
  lock_servers: 'Server keys of other lock servers whose waits count in deadlock detection.',
  tasksDir: 'Where the tasks of drafted agents are kept, below the root of the checkout.',
  rolesDir: 'Where the role files of drafted agents are, below the root of the checkout.',
  agents: 'How deep agents may draft agents, and how many may run at the same time.',
  undo: 'How much of files is kept for guard undo and guard blame, for how long, and which files never.',
  archive_keep: "How much of the ledger's archive is kept, compressed, and for how long.",
  warm: 'Whether guard init writes hooks that a server answers, if one runs, instead of a process each.',
  warm_idle: 'How long that server stays when idle.',
  engine:
    'User configuration only: the address of the database with the ledgers of repositories that machines share.',
  engine_direct: 'User configuration only: an address that bypasses a pooler, to receive notifications.',
  engine_pooled:
    'User configuration only: a pooler is in front of the database and gives each transaction another connection.',
  engine_from_environment:
    'User configuration only: GUARD_ENGINE and GUARD_MACHINE_ID override what this file says.',
  engine_asynchronous:
    'User configuration only: a database whose standbys are all asynchronous will do; a failover may grant locks twice.',
  on_end:
    'User configuration only: a program and its arguments, run when a drafted agent has ended; its environment says how.',
  on_attention:
    'User configuration only: a program and its arguments, run by guard watch --notify when something needs a person.',
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
