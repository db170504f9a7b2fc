/** The wait-for graph as nodes and lines: agents, the files they wait for, their holders and waiters. */
import { waitMoment } from './wait-moment.ts';
import type { Circle, PresentStatus, ShownScene, Wait } from './wire.ts';

export interface Dot {
  readonly id: string;
  readonly kind: 'agent' | 'file';
  /** An agent's id, or a path. */
  readonly of: string;
  readonly is_stuck: boolean;
}

export interface GraphLine {
  readonly from: string;
  readonly to: string;
  readonly kind: 'hold' | 'wait' | 'wanted';
  readonly is_stuck: boolean;
  /** When the wait began; `null` for a lock, or if that is not known. */
  readonly since_ms: number | null;
  /** The record to show for the wait; `null` for a lock, or if none is known. */
  readonly lsn: number | null;
}

export interface GraphShape {
  readonly dots: readonly Dot[];
  readonly lines: readonly GraphLine[];
  /** Waits that there is no room for. */
  readonly more: number;
}

type Denials = PresentStatus['denials'];

const WAITS_MOST = 60;
const agentDot = (id: string): string => `agent ${id}`;
const fileDot = (path: string): string => `file ${path}`;

export function graphOf({ waits, cycles, leases }: ShownScene, denials: Denials): GraphShape {
  const shown = waits.slice(0, WAITS_MOST);
  const stuck = stuckIn(cycles);
  const lines = new Map<string, GraphLine>();
  const dots = new Map<string, Dot>();
  const dot = (kind: Dot['kind'], of: string): string => {
    const id = kind === 'agent' ? agentDot(of) : fileDot(of);
    dots.set(id, { id, kind, of, is_stuck: stuck.has(id) });
    return id;
  };
  const line = (from: string, to: string, more: Pick<GraphLine, 'kind' | 'since_ms' | 'lsn'>) => {
    const known = lines.get(`${from}\n${to}`);
    if (known?.kind !== 'wait')
      lines.set(`${from}\n${to}`, { from, to, is_stuck: stuck.has(`${from}\n${to}`), ...more });
  };
  for (const wait of shown) {
    const { from, to, path, kind } = wait;
    const begun = { kind, since_ms: begunMs(wait), lsn: waitMoment(wait, denials) };
    const [waiter, other] = [dot('agent', from), dot('agent', to)];
    if (path === '') line(waiter, other, begun);
    else {
      const file = dot('file', path);
      line(waiter, file, begun);
      for (const { holder } of leases.filter((lease) => lease.path === path))
        line(file, dot('agent', holder), { kind: 'hold', since_ms: null, lsn: null });
    }
  }
  return { dots: [...dots.values()], lines: [...lines.values()], more: waits.length - shown.length };
}

const begunMs = ({ since }: Wait): number | null => (since === null ? null : Date.parse(since));

/** Everything in the cycle of a deadlock. */
function stuckIn(cycles: readonly Circle[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { kind, edges } of cycles) {
    if (kind !== 'deadlock') continue;
    for (const { from, to, path } of edges) {
      const [waiter, other, file] = [agentDot(from), agentDot(to), fileDot(path)];
      for (const one of [waiter, other, `${waiter}\n${other}`]) found.add(one);
      if (path !== '') for (const one of [file, `${waiter}\n${file}`, `${file}\n${other}`]) found.add(one);
    }
  }
  return found;
}
