/**
 * The hook entries that make Claude Code call guard, as one table (design section 4). settings.example.json,
 * hooks/hooks.json and `guard init` are generated from it.
 */
import { PATTERNS } from '../claude/mcp/names.ts';
import { READER_NAMES, WRITER_NAMES } from '../claude/tools.ts';
import { LOCK_SERVERS } from '../config/schema.ts';
import { HARNESS_SERVERS } from '../core/harness-tools.ts';
import { GATED_TOOLS } from '../core/policy/role.ts';
import { COORDINATION_NAMES, OWN_SERVERS } from '../core/lock-tools.ts';
import { failClosed } from './command.ts';
import { coldLine } from './warm-line.ts';

/** One `command` hook in the form of settings.json. `timeout` is in seconds. */
export interface HookEntry {
  readonly type: 'command';
  readonly command: string;
  readonly timeout: number;
  readonly onFailure?: 'block';
}

export interface HookGroup {
  readonly matcher?: string;
  readonly hooks: readonly HookEntry[];
}

/** The value of `hooks` in a settings file: by event name. */
export type HookTable = Readonly<Record<string, readonly HookGroup[]>>;

/** The MCP tools that the configuration lists as readers and writers: `mcp__server__tool`, or a prefix followed by `*`. */
export interface McpNames {
  readonly readers: readonly string[];
  readonly writers: readonly string[];
  /** Keys of lock servers: guard's own, whose calls are signed, and foreign ones, whose answers are read. */
  readonly own_servers?: readonly string[];
  readonly lock_servers?: readonly string[];
  /** Whether guard makes the client's worktrees. */
  readonly worktrees?: boolean;
}

/** `known`: events that every client since 2.0.77 knows. An unknown name voids the whole file in 2.1.100 and older. */
export type EventSet = 'known' | 'all';

interface Row {
  readonly event: string;
  /** Each becomes a separate group. */
  readonly tools: readonly (keyof typeof MATCHERS)[];
  /** If it differs from TIMEOUT_S. */
  readonly timeout_s?: number;
  /** Registered only with clients from 2.1.200 on. */
  readonly recent?: true;
  /** Only on request: with these hooks, the client makes and removes no worktrees itself. */
  readonly worktrees?: true;
  /** The tool must not run if the hook could not check it. */
  readonly closed?: true;
}

/** Under load a Pre and Post pair took 900 ms with 6 clients on 2 cores; a short timeout would let writes through. */
const TIMEOUT_S = 60;
/** All SessionEnd hooks share 1.5 s unless an explicit timeout asks for more; the session's end waits for it. */
const SESSION_END_TIMEOUT_S = 5;

const ENDED: Row['tools'] = ['finished', 'mcp', 'foreign_locks', 'awaits'];

const ROWS: readonly Row[] = [
  { event: 'PreToolUse', tools: ['writers', 'mcp_writers'], closed: true },
  { event: 'PreToolUse', tools: ['open', 'locks', 'mcp_others'] },
  { event: 'PostToolUse', tools: ENDED },
  { event: 'PostToolUseFailure', tools: ENDED, recent: true },
  { event: 'PermissionRequest', tools: ['any'], recent: true },
  { event: 'PostToolBatch', tools: ['any'], recent: true },
  { event: 'SessionStart', tools: ['any'] },
  { event: 'UserPromptSubmit', tools: ['any'] },
  { event: 'SubagentStart', tools: ['any'], recent: true },
  { event: 'SubagentStop', tools: ['any'] },
  { event: 'Stop', tools: ['any'] },
  { event: 'StopFailure', tools: ['any'], recent: true },
  { event: 'ConfigChange', tools: ['any'], recent: true },
  { event: 'SessionEnd', tools: ['any'], timeout_s: SESSION_END_TIMEOUT_S },
  // A large checkout takes a minute, and sixteen of them are made one after the other.
  { event: 'WorktreeCreate', tools: ['any'], recent: true, worktrees: true, timeout_s: 600 },
  { event: 'WorktreeRemove', tools: ['any'], recent: true, worktrees: true },
];

/** Only newer clients know these. */
export const RECENT_EVENTS: ReadonlySet<string> = new Set(
  ROWS.filter((row) => row.recent === true).map((row) => row.event),
);

/** An agent in one of these calls is at work, however long it takes: commands, and subagents (`Task` up to 2.1.50). */
const OPEN_TOOLS = ['Bash', 'PowerShell', 'Agent', 'Task'];

export const NO_MCP: McpNames = { readers: [], writers: [] };

/** @param command one of the lines of command.ts */
export function hookTable(command: string, events: EventSet, mcp: McpNames = NO_MCP): HookTable {
  const table: Record<string, HookGroup[]> = {};
  for (const row of ROWS) {
    const is_out = row.worktrees === true && mcp.worktrees !== true;
    if (is_out || (row.recent === true && events === 'known')) continue;
    const groups = row.tools.map((tools): HookGroup => {
      const matcher = MATCHERS[tools](mcp);
      return {
        ...(matcher === '' ? {} : { matcher }),
        hooks: [entryFor(row, row.worktrees === true ? coldLine(command) : command)],
      };
    });
    table[row.event] = [...(table[row.event] ?? []), ...groups];
  }
  return table;
}

const entryFor = ({ closed, timeout_s: timeout = TIMEOUT_S }: Row, command: string): HookEntry =>
  closed === true
    ? { type: 'command', command: failClosed(command), timeout, onFailure: 'block' }
    : { type: 'command', command, timeout };

/** '' matches every call and is left out. */
const MATCHERS = {
  writers: () => WRITER_NAMES.join('|'),
  mcp_writers: (mcp: McpNames) => `^(?:${writersPattern(mcp)})$`,
  mcp_others: othersMatcher,
  open: () => OPEN_TOOLS.join('|'),
  finished: () => [...READER_NAMES, ...WRITER_NAMES, ...OPEN_TOOLS].join('|'),
  mcp: (mcp: McpNames) =>
    `^(?:${[writersPattern(mcp), ...unique(mcp.readers), `mcp__${PATTERNS.readers}`].join('|')})$`,
  locks: (mcp: McpNames) => `^${locksPattern(mcp)}$`,
  foreign_locks: ({ lock_servers = LOCK_SERVERS }: McpNames) => `^${lockPattern(lock_servers)}$`,
  awaits: ({ own_servers = OWN_SERVERS }: McpNames) =>
    `^mcp__(?:plugin_\\w+_)?${callsOf([...own_servers, ...HARNESS_SERVERS], 'await_agent')}$`,
  any: () => '',
} satisfies Readonly<Record<string, (mcp: McpNames) => string>>;

/**
 * MCP tools have separate groups: a name with `-` or `.` turns its whole matcher from a list of names into an unanchored
 * regular expression, in which `Write` would match `TodoWrite`. No tool is in two groups, or the same event would reach
 * guard twice.
 */
const writersPattern = (mcp: McpNames): string =>
  [...unique(mcp.writers), `mcp__${PATTERNS.writers}`].join('|');

const unique = (names: readonly string[]): string[] => [...new Set(names)].map(patternOf);

const locksPattern = ({ own_servers = OWN_SERVERS, lock_servers = LOCK_SERVERS }: McpNames): string =>
  lockPattern(lock_servers, own_servers);

/** A call that only reads is left alone; any other may write to a file that another agent holds. */
function othersMatcher(mcp: McpNames): string {
  const judged = [locksPattern(mcp), writersPattern(mcp)].join('|');
  return `^(?!(?:${judged})$)mcp__(?!${PATTERNS.looks}$).+$`;
}

/** A plugin's server has the plugin's name in front of it. */
function lockPattern(servers: readonly string[], own: readonly string[] = []): string {
  const calls = [callsOf([...own, ...servers], 'lock_\\w+')];
  if (own.length > 0) {
    calls.push(callsOf(own, `(?:${COORDINATION_NAMES.join('|')})`));
    calls.push(callsOf([...own, ...HARNESS_SERVERS], `(?:${GATED_TOOLS.join('|')})`));
  }
  const [only = ''] = calls;
  return `mcp__(?:plugin_\\w+_)?${calls.length === 1 ? only : `(?:${calls.join('|')})`}`;
}

const callsOf = (servers: readonly string[], tools: string): string =>
  `(?:${[...new Set(servers)].join('|')})__${tools}`;

function patternOf(name: string): string {
  const isPrefix = name.endsWith('*');
  const literal = isPrefix ? name.slice(0, -1) : name;
  return `${literal.replace(/[^\w-]/g, '\\$&')}${isPrefix ? '.*' : ''}`;
}
