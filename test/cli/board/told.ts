/** Statuses of any size, in the form of `guard status --json`. */
import type { Status } from '../../../src/operations/status.ts';

export const NOW_MS = Date.parse('2026-01-31T12:00:00.000Z');
export const ago = (seconds: number): string => new Date(NOW_MS - seconds * 1000).toISOString();

export const QUIET: Status = {
  repository: '/code/shop',
  enforcement: 'required',
  hooked: true,
  off_until: null,
  fenced: false,
  late: 0,
  standing: [],
  agents: [],
  leases: [],
  reservations: [],
  waits: [],
  cycles: [],
  commands: [],
  unjoined: [],
  other_clients: [],
  denials: [],
  noticed: [],
};

export const agent = (
  name: string,
  more: Partial<Status['agents'][number]> = {},
): Status['agents'][number] => ({
  agent: `claude-${name}`,
  kind: 'session',
  joined: ago(900),
  last_active_seconds: 4,
  pid: 4711,
  turn: 2,
  denials: 0,
  writing: [],
  at_work: [],
  name,
  drafted: null,
  ...more,
});

export const lease = (path: string, holder: string, seconds = 60): Status['leases'][number] => ({
  path,
  holder: `claude-${holder}`,
  mode: 'exclusive',
  token: 1234,
  since: ago(seconds),
  expires_at: ago(-600),
  holder_state: 'at work',
});

export const wait = (from: string, to: string, path: string, seconds: number): Status['waits'][number] => ({
  ...{ from: `claude-${from}`, to: `claude-${to}`, path, kind: 'wait', because: 'hold' },
  since: ago(seconds),
  lsn: 1234,
});

/** A day on which everything goes wrong. */
export const BUSY: Status = {
  ...QUIET,
  off_until: ago(-500),
  fenced: true,
  agents: [
    agent('ann', { writing: ['packages/cart/src/price.ts'] }),
    agent('bob', { last_active_seconds: 75, denials: 2, at_work: [{ tool: 'Bash', since: ago(75) }] }),
    agent('陳大文', { agent: 'claude-7f3a9c1e-0000-4000-8000-000000000003', last_active_seconds: 9 }),
    agent('cy', {
      agent: 'claude-dev-1',
      drafted: { role: 'dev', task: 'checkout-page', doing: 'runs the tests' },
    }),
  ],
  leases: [
    ...Array.from({ length: 12 }, (_, nth) => lease(`packages/cart/src/part-${nth}.ts`, 'ann', 240)),
    lease('docs/价格说明.md', 'bob', 90),
    lease('docs/🚀-launch.md', 'bob', 80),
  ],
  reservations: [
    {
      ...{ id: 'r-1', path_pattern: 'api/**', agent_id: 'claude-ann', exclusive: true },
      ...{ expires_at: ago(-840), reason: 'new endpoints' },
    } as Status['reservations'][number],
  ],
  waits: [
    wait('bob', 'ann', 'packages/cart/src/part-3.ts', 190),
    wait('dev-1', 'bob', 'docs/价格说明.md', 12),
  ],
  cycles: [
    {
      kind: 'deadlock',
      state: 'told',
      edges: [
        wait('ann', 'bob', 'docs/价格说明.md', 20),
        wait('bob', 'ann', 'packages/cart/src/part-3.ts', 190),
      ],
      victim: 'claude-bob',
      release: ['docs/价格说明.md'],
    },
  ],
  commands: [
    {
      ...{ agent: 'claude-ann', op: 'toolu_1', paths: ['dist/a.js', 'dist/b.js', 'dist/c.js', 'dist/d.js'] },
      ...{ since: ago(33), in_background: true },
    },
  ],
  unjoined: [{ pid: 3023, start: '1', cwd: '/code/shop/packages/app', age_s: 300 }],
  denials: [20, 50].map((seconds) => ({
    ...{
      at: ago(seconds),
      lsn: 900 - seconds,
      agent: 'claude-bob',
      tool: 'Edit',
      paths: ['packages/cart/src/part-3.ts'],
    },
    ...{ error_type: 'LOCKED_BY_OTHER', message: 'It is locked by claude-ann.' },
  })),
};

/** Each agent in its own package. */
export const crowd = (agents: number, locks: number): Status => ({
  ...QUIET,
  agents: Array.from({ length: agents }, (_, nth) => agent(`agent-${nth}`, { last_active_seconds: nth })),
  leases: Array.from({ length: locks }, (_, nth) =>
    lease(`packages/service-${nth % agents}/src/file-${nth}.ts`, `agent-${nth % agents}`, nth),
  ),
  waits: Array.from({ length: Math.floor(agents / 10) }, (_, nth) =>
    wait(
      `agent-${nth}`,
      `agent-${nth + 1}`,
      `packages/service-${nth + 1}/src/file-${nth + 1}.ts`,
      20 + 3 * nth,
    ),
  ),
});
