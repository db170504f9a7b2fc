/** The wait-for graph as nodes and lines: agents, the files they wait for, their holders and waiters. */
import type { Circle, ShownScene, Wait } from './wire.ts';

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
}

export interface GraphShape {
  readonly dots: readonly Dot[];
  readonly lines: readonly GraphLine[];
  /** Waits that there is no room for. */
  readonly more: number;
}

const WAITS_MOST = 60;
const agentDot = (id: string): string => `agent ${id}`;
const fileDot = (path: string): string => `file ${path}`;

export function graphOf({ waits, cycles, leases }: ShownScene): GraphShape {
  const shown = waits.slice(0, WAITS_MOST);
  const stuck = stuckIn(cycles);
  const lines = new Map<string, GraphLine>();
  const dots = new Map<string, Dot>();
  const dot = (kind: Dot['kind'], of: string): string => {
    const id = kind === 'agent' ? agentDot(of) : fileDot(of);
    dots.set(id, { id, kind, of, is_stuck: stuck.has(id) });
    return id;
  };
  const line = (from: string, to: string, { kind, since }: Pick<Wait, 'since'> & Pick<GraphLine, 'kind'>) => {
    const known = lines.get(`${from}\n${to}`);
    if (known?.kind === 'wait') return;
    const since_ms = since === null ? null : Date.parse(since);
    lines.set(`${from}\n${to}`, { from, to, kind, is_stuck: stuck.has(`${from}\n${to}`), since_ms });
  };
  for (const wait of shown) {
    const { from, to, path } = wait;
    const [waiter, other] = [dot('agent', from), dot('agent', to)];
    if (path === '') line(waiter, other, wait);
    else {
      const file = dot('file', path);
      line(waiter, file, wait);
      for (const { holder } of leases.filter((lease) => lease.path === path))
        line(file, dot('agent', holder), { kind: 'hold', since: null });
    }
  }
  return { dots: [...dots.values()], lines: [...lines.values()], more: waits.length - shown.length };
}

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
