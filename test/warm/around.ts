/** The working directory and the environment of the client that sends an event. */
import fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Env, Scratch } from '../claude/driver.ts';

export interface Around {
  /** The directory is removed before the event is sent. */
  readonly is_gone: boolean;
  readonly cwd: (at: Scratch) => string;
  readonly env: (at: Scratch) => Env;
  /** Whether the launcher passes the event to a server that is there; otherwise the command runs in any case. */
  readonly isHandedOver: (at: Scratch) => boolean;
}

type Pick = <T>(list: readonly T[]) => T;
type Variables = Readonly<Record<string, string | undefined>> | ((at: Scratch) => Env);

export const beside = (at: Scratch): string => join(dirname(at.root), 'elsewhere');
/** The linked worktree. */
export const worktree = (at: Scratch): string => join(dirname(at.root), 'tree');

const WHERE: readonly ((at: Scratch) => string)[] = [
  ...[(at: Scratch) => at.root, (at: Scratch) => at.root, (at: Scratch) => at.root],
  ...[(at: Scratch) => at.path('src'), (at: Scratch) => at.path('dïr with space'), beside, worktree],
  (at) => at.path('link'),
  (at) => at.path('nested'),
  () => '/',
];

const CLIENT: readonly Variables[] = [
  ...[{}, {}, {}],
  { CLAUDECODE: undefined },
  { COPILOT_CLI: '1' },
  { AI_AGENT: 'other/1.0' },
  { GUARD_AGENT_ID: 'claude-s2' },
  { CLAUDE_ENV_FILE: '/nowhere/env' },
  (at) => ({ CLAUDE_CONFIG_DIR: at.home }),
];

const POLICY: readonly Variables[] = [
  ...[{}, {}, {}],
  { GUARD_UNREAD: 'always' },
  // Longer than a run, because it would be chance in which of two repositories a lease ends first.
  { GUARD_TTL: '200s' },
  { GUARD_COMMANDS: 'required' },
  { GUARD_ENFORCEMENT: 'required' },
  { GUARD_PRESET: 'strict' },
  { GUARD_PRESET: 'nonsense' },
  { GUARD_RELEASE_ON: 'session_end' },
  { GUARD_DURABILITY: 'fsync' },
  { GUARD_UNRESOLVED: 'deny' },
  { GUARD_FENCE: 'off' },
  { GUARD_LEASE_SCOPE: 'apart' },
];

const SYSTEM: readonly Variables[] = [
  ...[{}, {}, {}, {}],
  // Not a locale that is missing here: perl prints a warning about it.
  { TZ: 'Asia/Tokyo', LANG: 'C' },
  { PATH: '/nowhere' },
  { PATH: '' },
  { EMPTY: '', 'odd name': 'x', UMLAUT: 'ä=ö\nsecond line \u{1f600}' },
  (at) => ({ XDG_STATE_HOME: join(at.home, 'other-state') }),
  (at) => ({ XDG_CONFIG_HOME: join(at.home, 'other-config') }),
  (at) => ({ HOME: beside(at) }),
  { HOME: undefined },
  (at) => ({ GIT_DIR: at.path('.git') }),
  (at) => ({ GIT_INDEX_FILE: join(at.home, 'no-index') }),
  { TMPDIR: '/nowhere' },
  { LONG: 'x'.repeat(100_000) },
  Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`MANY_${n}`, String(n)])),
];

/** With these the launcher runs the command: Node would start differently, or it finds no repository. */
const OTHER: readonly Variables[] = [
  { NODE_OPTIONS: '--no-warnings' },
  { LD_LIBRARY_PATH: '/nowhere' },
  { CLAUDE_PROJECT_DIR: '/nowhere' },
  (at) => ({ CLAUDE_PROJECT_DIR: beside(at) }),
];
const PROJECT: readonly Variables[] = [
  ...[{}, {}, {}, {}, {}],
  (at) => ({ CLAUDE_PROJECT_DIR: at.path('src') }),
  { CLAUDE_PROJECT_DIR: '.' },
  { CLAUDE_PROJECT_DIR: undefined },
];

export function around(pick: Pick, session: string, pid: number): Around {
  const where = pick(WHERE);
  const is_alike = pick([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) !== 0;
  const variables: readonly Variables[] = [
    pick<Variables>([{}, { CLAUDE_PID: String(pid) }, { CLAUDE_PID: '1' }, { CLAUDE_PID: 'x' }]),
    pick<Variables>([{}, {}, { CLAUDE_CODE_SESSION_ID: session }, { CLAUDE_CODE_SESSION_ID: 's1' }]),
    ...[pick(CLIENT), pick(POLICY), pick(SYSTEM), pick(PROJECT)],
    ...(is_alike ? [] : [pick(OTHER)]),
  ];
  const cwd: Around['cwd'] = (at) => existing(where(at), at);
  // What a client always sets comes first; `undefined` removes a variable.
  const env: Around['env'] = (at) =>
    Object.assign(
      { ...at.env, CLAUDECODE: '1', CLAUDE_PROJECT_DIR: at.root },
      ...variables.map((one) => (typeof one === 'function' ? one(at) : one)),
    ) as Env;
  const is_gone = pick([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]) === 0;
  const isHandedOver: Around['isHandedOver'] = (at) => {
    // The launcher finds the repository from here.
    const from = resolve(cwd(at), env(at)['CLAUDE_PROJECT_DIR'] ?? '.');
    return is_alike && !is_gone && [at.root, worktree(at)].some((dir) => `${from}/`.startsWith(`${dir}/`));
  };
  return { cwd, env, isHandedOver, is_gone };
}

const existing = (dir: string, at: Scratch): string => (fs.existsSync(dir) ? dir : at.root);
