/**
 * Variables that `env` in a settings file passes to hooks and commands, and the effect of each. Tested with 2.1.330,
 * one by one, from the project's settings and from the user's; docs/hooks.md has the table of results.
 */
interface Row {
  readonly names: RegExp;
  /** `unguards`: a write passed that had to be denied. `misleads`: hooks still deny, but from different facts. */
  readonly effect: 'unguards' | 'misleads';
  readonly why: string;
  /** Values that have no such effect. */
  readonly harmless?: RegExp;
}

const FLAGS =
  'max-(?:old-space|semi-space|http-header)-size(?:-percentage)?=\\d+|(?:no-)?(?:deprecation|warnings|experimental-fetch)|' +
  'enable-source-maps|trace-(?:warnings|deprecation|uncaught)|throw-deprecation|pending-deprecation|' +
  'unhandled-rejections=[\\w-]+|dns-result-order=\\w+|stack-trace-limit=\\d+|use-(?:system|openssl|bundled)-ca|' +
  'tls-(?:min|max)-v1\\.\\d|experimental-vm-modules|experimental-strip-types|openssl-legacy-provider';

/** The first row that matches a variable counts. */
const ROWS: readonly Row[] = [
  {
    names: /^NODE_OPTIONS$/,
    effect: 'unguards',
    why: 'it can load code into every Node process, including hooks',
    harmless: new RegExp(`^\\s*(?:--(?:${FLAGS})(?:\\s+|$))*$`),
  },
  {
    names: /^(?:SHELL|CLAUDE_CODE_SHELL)$/,
    effect: 'misleads',
    why: 'it sets which program runs commands',
    harmless: /^(?:\/usr(?:\/local)?|\/opt\/homebrew)?\/bin\/(?:sh|bash|zsh)$/,
  },
  {
    names: /^CLAUDE_CODE_SHELL_PREFIX$/,
    effect: 'unguards',
    why: 'Claude Code hands every hook to it instead of running it',
  },
  { names: /^PATH$/, effect: 'unguards', why: 'it sets which node runs hooks' },
  { names: /^(?:LD|DYLD)_/, effect: 'unguards', why: 'it loads code into every process, including hooks' },
  {
    names: /^CLAUDE_CODE_(?:SIMPLE|SAFE_MODE)$/,
    effect: 'unguards',
    why: "in the user's settings it makes Claude Code start without hooks",
  },
  {
    names: /^PERL(?:5(?:OPT|LIB|DB)|LIB)$/,
    effect: 'unguards',
    why: 'it loads code into every perl, including that of warm hooks',
  },
  { names: /^GUARD_/, effect: 'misleads', why: 'it belongs to guard itself' },
  {
    names: /^(?:HOME|XDG_\w+|CLAUDE_CONFIG_DIR)$/,
    effect: 'misleads',
    why: "it moves the user's configuration and state",
  },
  {
    names: /^(?:AI_AGENT|CLAUDECODE|CLAUDE_(?:PID|PROJECT_DIR|PLUGIN_ROOT|CODE_(?:SESSION_ID|ENTRYPOINT)))$/,
    effect: 'misleads',
    why: 'it tells guard who calls, and from where',
  },
  {
    names: /^(?:BASH_ENV|ENV|CLAUDE_ENV_FILE|SHELLOPTS|BASHOPTS|BASH_FUNC_.*)$/,
    effect: 'misleads',
    why: 'it is run by shells before the command itself',
  },
  {
    names: /^(?:NODE_(?:PATH|COMPILE_CACHE|ICU_DATA|PRESERVE_SYMLINKS\w*)|OPENSSL_\w+)$/,
    effect: 'misleads',
    why: 'it sets what Node loads',
  },
  {
    names:
      /^CLAUDE_CODE_(?:BARE|SHELL_\w+|GIT_BASH_PATH|PROCESS_WRAPPER|PERSONAL_HOOKS_OFF|(?:MANAGED|REMOTE|MOCK_REMOTE)_SETTINGS\w*|PLUGIN_(?:DIRS|CACHE_DIR|SEED_DIR)|SESSIONEND_HOOKS_TIMEOUT_MS)$/,
    effect: 'misleads',
    why: 'it sets how Claude Code finds and starts hooks',
  },
];

const rowOf = (name: string, value: unknown): Row | undefined => {
  const row = ROWS.find(({ names }) => names.test(name));
  return row?.harmless?.test(String(value)) === true ? undefined : row;
};

export interface Telling {
  readonly name: string;
  readonly why: string;
  readonly unguards: boolean;
}

/** `null` for a variable without effect on hooks: a project's own, limits, telemetry, `NODE_ENV`. */
export function telling(name: string, value: unknown): Telling | null {
  const row = rowOf(name, value);
  return row === undefined ? null : { name, why: row.why, unguards: row.effect === 'unguards' };
}
