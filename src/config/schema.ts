/**
 * The configuration: its keys, what each may hold, and which of two values is stronger. One table for the
 * checker, the merge (load.ts), and the published JSON Schema (json-schema.ts).
 *
 * Stronger means: a careless or hostile agent gets away with less, and nobody's hold ends sooner. Repository
 * files and the environment may only make a value stronger (design section 8).
 */
import { ENFORCEMENTS, isWeakerIn, UNREADS } from '../core/policy/weakening.ts';
import type { Policy } from '../core/types.ts';
import { formatDuration, parseDuration } from './duration.ts';
import { didYouMean } from './suggest.ts';

export type Preset = 'standard' | 'strict' | 'auto';
export type Durability = 'process' | 'fsync';
/** Whether commands run where the files that others hold are read-only (docs/fence.md). */
export type Fence = 'off' | 'auto' | 'required';
export type DurationText = string | number;

/** A tool of an MCP server, and where in its input the paths are. */
export interface McpTool {
  /** Full tool name, or its beginning followed by `*`: `mcp__fs__write_file`, `mcp__fs__*`. */
  readonly tool: string;
  /** Dotted places in `tool_input` that hold a path or a list of paths. */
  readonly paths: readonly string[];
  /** The user's own word, which may also say that a tool guard knows for a writer is none. No file can give it. */
  readonly own?: true;
}

export interface McpTools {
  readonly writers: readonly McpTool[];
  readonly readers: readonly McpTool[];
}

/** Where role files are unless a file says otherwise. */
export const ROLES_DIR = '.agents/roles';

/** The file as people write it. */
export interface ConfigFile {
  readonly $schema?: string;
  readonly preset?: Preset;
  readonly enforcement?: Policy['enforcement'];
  readonly unread?: Policy['unread'];
  readonly commands?: NonNullable<Policy['commands']>;
  readonly unresolved?: NonNullable<Policy['unresolved']>;
  readonly ttl?: DurationText;
  readonly idle?: DurationText;
  readonly release_on?: Policy['release_on'];
  readonly durability?: Durability;
  readonly deadline?: DurationText;
  readonly fence?: Fence;
  readonly reservation_quota?: number;
  readonly messages_per_minute?: number;
  readonly escalate?: NonNullable<Policy['escalate']>;
  readonly mcp?: Partial<McpTools> & {
    readonly fullAccessCategories?: readonly string[];
    readonly streamTimeout?: number;
  };
  readonly deadlock?: { readonly victim?: Policy['victim']; readonly resolve?: Policy['resolve'] };
  /** Server keys of foreign lock servers, beside those that guard knows. */
  readonly lock_servers?: readonly string[];
  /** Where tasks and roles are, below the root of the checkout. */
  readonly tasksDir?: string;
  readonly rolesDir?: string;
  readonly agents?: { readonly depth?: number; readonly running?: number };
  /** What is kept of files, and how long. */
  readonly undo?: {
    readonly enabled?: boolean;
    readonly max_mb?: number;
    readonly max_age?: DurationText;
    readonly exclude?: readonly string[];
  };
  /** User configuration only. */
  readonly allow_weaker?: boolean;
}

/** The keys with one value each, durations in milliseconds. */
export interface Settings {
  readonly enforcement: Policy['enforcement'];
  readonly unread: Policy['unread'];
  readonly commands: NonNullable<Policy['commands']>;
  readonly unresolved: NonNullable<Policy['unresolved']>;
  readonly ttl: number;
  readonly idle: number;
  readonly release_on: Policy['release_on'];
  readonly durability: Durability;
  readonly deadline: number;
  readonly fence: Fence;
  readonly deadlock_victim: Policy['victim'];
  readonly deadlock_resolve: Policy['resolve'];
  readonly reservation_quota: number;
  readonly messages_per_minute: number;
  readonly escalate: NonNullable<Policy['escalate']>;
}

/** What is wrong with a value; `hint` says what would be right. */
export interface Wrong {
  readonly reason: string;
  readonly hint: string;
}

export type Parsed<T> = { readonly value: T } | { readonly wrong: Wrong };

export interface KeySpec<T> {
  /** Environment variable of the same meaning. */
  readonly env: string;
  parse(raw: unknown): Parsed<T>;
  isWeaker(wanted: T, current: T): boolean;
  show(value: T): DurationText;
  /** JSON Schema of the value. */
  readonly schema: Readonly<Record<string, unknown>>;
}

const shown = (raw: unknown): string => JSON.stringify(raw).slice(0, 60);

/** `order` begins with the weakest. */
function choice<T extends string>(env: string, ...order: readonly T[]): KeySpec<T> {
  return {
    env,
    schema: { enum: [...order].reverse() },
    isWeaker: (wanted, current) => isWeakerIn(order, wanted, current),
    show: (value) => value,
    parse: (raw) => {
      const value = order.find((it) => it === raw);
      if (value !== undefined) return { value };
      return { wrong: { reason: `${shown(raw)} is not possible`, hint: didYouMean(String(raw), order) } };
    },
  };
}

/** None of them is weaker than another. */
function oneOf<T extends string>(env: string, ...names: readonly T[]): KeySpec<T> {
  return { ...choice(env, ...names), isWeaker: () => false };
}

interface DurationLimits {
  readonly min_ms: number;
  readonly max_ms: number;
  /** Without: neither direction is weaker. */
  readonly longer_is_stronger: boolean;
}

function duration(env: string, limits: DurationLimits): KeySpec<number> {
  const { min_ms, max_ms, longer_is_stronger } = limits;
  const range = `from ${formatDuration(min_ms)} to ${formatDuration(max_ms)}`;
  return {
    env,
    schema: {
      anyOf: [
        { type: 'string', pattern: '^\\d{1,9}(\\.\\d{1,3})?(ms|s|m|h)?$' },
        { type: 'number', minimum: min_ms / 1000, maximum: max_ms / 1000 },
      ],
    },
    isWeaker: (wanted, current) => longer_is_stronger && wanted < current,
    show: formatDuration,
    parse: (raw) => {
      const value = parseDuration(raw);
      const hint = `Write a duration ${range}: "${formatDuration(max_ms)}", or a number of seconds.`;
      if (value === null) return { wrong: { reason: `${shown(raw)} is not a duration`, hint } };
      if (value < min_ms || value > max_ms)
        return { wrong: { reason: `${shown(raw)} is not ${range}`, hint } };
      return { value };
    },
  };
}

/** How often an agent may do something: the fewer, the stronger. */
function limit(env: string, max: number): KeySpec<number> {
  return {
    env,
    schema: { type: 'integer', minimum: 1, maximum: max },
    isWeaker: (wanted, current) => wanted > current,
    show: (value) => value,
    parse: (raw) => {
      const value = Number(raw);
      if (Number.isInteger(value) && value > 0 && value <= max) return { value };
      return { wrong: { reason: `${shown(raw)} is not from 1 to ${max}`, hint: 'Write a number.' } };
    },
  };
}

/**
 * A lease that lasts longer holds the others back longer, so it is the stronger one; a `deadline` denies at its
 * end whatever it is, so none is weaker, but it must stay well below the client's own timeout of 60 s.
 */
export const KEYS: { readonly [K in keyof Settings]: KeySpec<Settings[K]> } = {
  enforcement: choice('GUARD_ENFORCEMENT', ...ENFORCEMENTS),
  unread: choice('GUARD_UNREAD', ...UNREADS),
  commands: choice('GUARD_COMMANDS', 'take', 'required'),
  unresolved: choice('GUARD_UNRESOLVED', 'pass', 'deny'),
  ttl: duration('GUARD_TTL', { min_ms: 10_000, max_ms: 86_400_000, longer_is_stronger: true }),
  idle: duration('GUARD_IDLE', { min_ms: 5_000, max_ms: 86_400_000, longer_is_stronger: true }),
  release_on: choice('GUARD_RELEASE_ON', 'stop', 'session_end', 'never'),
  durability: choice('GUARD_DURABILITY', 'process', 'fsync'),
  deadline: duration('GUARD_DEADLINE', { min_ms: 500, max_ms: 30_000, longer_is_stronger: false }),
  fence: choice('GUARD_FENCE', 'off', 'auto', 'required'),
  deadlock_victim: oneOf('GUARD_DEADLOCK_VICTIM', 'least_work', 'fewest_leases', 'youngest'),
  deadlock_resolve: choice('GUARD_DEADLOCK_RESOLVE', 'cancel', 'release', 'notify'),
  reservation_quota: limit('GUARD_RESERVATION_QUOTA', 1_000),
  messages_per_minute: limit('GUARD_MESSAGES_PER_MINUTE', 1_000),
  escalate: oneOf('GUARD_ESCALATE', 'off', 'record', 'remind'),
};

export const PRESET = choice<Preset>('GUARD_PRESET', 'auto', 'standard', 'strict');

/** What a preset stands for; the keys it does not name are those of `DEFAULTS`. */
export const PRESETS: Readonly<
  Record<Preset, Pick<Settings, 'enforcement' | 'unread' | 'commands' | 'unresolved'>>
> = {
  standard: { enforcement: 'required', unread: 'changed', commands: 'take', unresolved: 'pass' },
  strict: { enforcement: 'required', unread: 'always', commands: 'required', unresolved: 'deny' },
  auto: { enforcement: 'auto', unread: 'changed', commands: 'take', unresolved: 'pass' },
};

export const DEFAULTS: Settings = {
  ...PRESETS.standard,
  ttl: 900_000,
  idle: 180_000,
  release_on: 'stop',
  durability: 'process',
  deadline: 5_000,
  fence: 'auto',
  deadlock_victim: 'youngest',
  deadlock_resolve: 'notify',
  reservation_quota: 64,
  messages_per_minute: 30,
  escalate: 'off',
};

/** Lock servers whose tools speak as guard's do. */
export const LOCK_SERVERS: readonly string[] = ['mala-locking'];

export const SETTING_NAMES = Object.keys(KEYS) as readonly (keyof Settings)[];
