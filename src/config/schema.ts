/**
 * The configuration: its keys, what each may contain, and which of two values is stronger. One table for the checker,
 * the merge (load.ts), and the published JSON Schema (json-schema.ts).
 *
 * Stronger means that a careless or hostile agent gets away with less, and no agent's hold ends sooner. Repository
 * files and the environment may only make a value stronger (design section 8).
 */
import { POLICY_VALUES } from '../core/policy/values.ts';
import type { Policy } from '../core/types.ts';
import { choiceKey, durationKey, type KeySpec, limitKey, oneOfKey } from './key-kinds.ts';

export type Preset = 'standard' | 'strict' | 'auto';
export type Durability = 'process' | 'fsync';
/** Whether commands run with the files that others hold made read-only (docs/fence.md). */
export type Fence = 'off' | 'auto' | 'required';

/** A tool of an MCP server, and where its input has paths. */
export interface McpToolSetting {
  /** Full tool name, or its beginning followed by `*`: `mcp__fs__write_file`, `mcp__fs__*`. */
  readonly tool: string;
  /** Dotted places in `tool_input` that contain a path or a list of paths. */
  readonly paths: readonly string[];
  /** Set by the user, who may also declare that a tool guard knows as a writer is not one. Files cannot set this. */
  readonly own?: true;
}

export interface McpToolSettings {
  readonly writers: readonly McpToolSetting[];
  readonly readers: readonly McpToolSetting[];
}

/** Where role files are, unless a file says otherwise. */
export const ROLES_DIR = '.agents/roles';

/** The values a preset sets; other keys keep their defaults. */
export const PRESETS: Readonly<
  Record<Preset, Required<Pick<Policy, 'enforcement' | 'unread' | 'commands' | 'unresolved'>>>
> = {
  standard: { enforcement: 'required', unread: 'changed', commands: 'take', unresolved: 'pass' },
  strict: { enforcement: 'required', unread: 'always', commands: 'required', unresolved: 'deny' },
  auto: { enforcement: 'auto', unread: 'changed', commands: 'take', unresolved: 'pass' },
};

const { enforcement, unread, commands, unresolved } = PRESETS.standard;
const OWN = { user_may: 'weaken' } as const;
const OWN_UNLESS_STRICT = { user_may: 'weaken_unless_strict' } as const;

/**
 * A lease that lasts longer holds others back longer, so it is the stronger one. A `deadline` denies when it ends,
 * whatever its length, so none is weaker; but it must stay well below the client's own timeout of 60 s.
 *
 * `variableOf` gives a key's environment variable; a key that begins with `deadlock_` is in a file's "deadlock".
 */
const ROWS = {
  enforcement: choiceKey(POLICY_VALUES.enforcement, enforcement),
  unread: { ...choiceKey(POLICY_VALUES.unread, unread), ...OWN_UNLESS_STRICT },
  commands: { ...choiceKey(POLICY_VALUES.commands, commands), ...OWN_UNLESS_STRICT },
  unresolved: { ...choiceKey(POLICY_VALUES.unresolved, unresolved), ...OWN_UNLESS_STRICT },
  ttl: durationKey(900_000, { min_ms: 10_000, max_ms: 86_400_000, longer_is_stronger: true }),
  idle: { ...durationKey(180_000, { min_ms: 5_000, max_ms: 86_400_000, longer_is_stronger: true }), ...OWN },
  release_on: choiceKey(POLICY_VALUES.release_on, 'stop'),
  durability: { ...choiceKey<Durability>(['process', 'fsync'], 'process'), ...OWN },
  deadline: { ...durationKey(5_000, { min_ms: 500, max_ms: 30_000, longer_is_stronger: false }), ...OWN },
  fence: { ...choiceKey<Fence>(['off', 'auto', 'required'], 'auto'), ...OWN },
  deadlock_victim: { ...oneOfKey(POLICY_VALUES.victim, 'youngest'), ...OWN },
  deadlock_resolve: { ...choiceKey(POLICY_VALUES.resolve, 'notify'), ...OWN },
  reservation_quota: limitKey(64, 1_000),
  messages_per_minute: limitKey(30, 1_000),
  escalate: oneOfKey(POLICY_VALUES.escalate, 'off'),
  lease_scope: { ...choiceKey(POLICY_VALUES.lease_scope, 'told'), ...OWN },
};

/** The keys that have one value each; durations in milliseconds. */
export type Settings = {
  readonly [K in keyof typeof ROWS]: (typeof ROWS)[K]['default'];
};

export const KEYS: { readonly [K in keyof Settings]: KeySpec<Settings[K]> } = ROWS;

export const PRESET = choiceKey<Preset>(['auto', 'standard', 'strict'], 'standard');

export const SETTING_NAMES = Object.keys(KEYS) as readonly (keyof Settings)[];

export const DEFAULTS = Object.fromEntries(
  SETTING_NAMES.map((name) => [name, KEYS[name].default]),
) as unknown as Settings;

/** The keys for which `holds` returns true. */
export const keysThat = (
  holds: (spec: Pick<KeySpec<never>, 'user_may'>) => boolean,
): ReadonlySet<keyof Settings> => new Set(SETTING_NAMES.filter((name) => holds(KEYS[name])));

/** Lock servers whose tools have the same interface as guard's. */
export const LOCK_SERVERS: readonly string[] = ['mala-locking'];

/** The environment variable of a key, `preset` included. */
export const variableOf = (key: string): string => `GUARD_${key.toUpperCase()}`;
