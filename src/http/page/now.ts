/** The repository's present state for the page: what `guard status` reports, and where its ledger ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LedgerHistory } from '../../history/history.ts';
import { STATUS } from '../../operations/status.ts';
import type { RunContext } from '../../operations/operation.ts';
import type { Past } from '../../history/past.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** The first look does not wait longer than this for a history: the present is shown at once, however long the ledger is. */
const PATIENCE_MS = 200;

const UNREAD = { count: 0, last: null, agents: [], chosen: new Map<string, string>() };

export async function nowOf(past: Past, space: Workspace, around: RunContext): Promise<object> {
  const history = await wholeSoon(past);
  const status = await STATUS.run({}, space, around);
  // As a time instead of an age: otherwise every look would differ from the one before.
  const wall_ms = space.facts().now.wall_ms;
  const agents = status.agents.map(({ last_active_seconds, ...agent }) => ({
    ...agent,
    active_ms: rounded(wall_ms - last_active_seconds * 1000),
  }));
  const { count, last, agents: everybody, chosen } = history ?? UNREAD;
  const read_percent = history === null ? Math.min(99, Math.floor((past.reading() ?? 1) * 100)) : 100;
  return {
    count,
    last,
    everybody,
    chosen: Object.fromEntries(chosen),
    read_percent,
    status: { ...status, agents },
  };
}

/** The history up to now; `null` while the ledger is being read for the first time. */
async function wholeSoon(past: Past): Promise<LedgerHistory | null> {
  const whole = past.current();
  if (past.reading() === null) return whole;
  return Promise.race([whole, sleep(PATIENCE_MS, null, { ref: false })]);
}

/** Rounded, because the age is in whole seconds and may be read at any moment within one. */
const rounded = (ms: number): number => Math.round(ms / 2_000) * 2_000;
