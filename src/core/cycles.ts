/** Cycles of a directed graph: strongly connected components (Tarjan, no recursion) and one shortest cycle of each. */

export interface Edge {
  readonly from: string;
  readonly to: string;
}

/** One shortest cycle per strongly connected component, as edges in order; components in order of their first node. */
export function findCycles<E extends Edge>(edges: readonly E[]): E[][] {
  const out = new Map<string, E[]>();
  for (const edge of edges) {
    const others = out.get(edge.from);
    if (others === undefined) out.set(edge.from, [edge]);
    else others.push(edge);
  }
  return components(out)
    .map((members) => shortestCycle(out, members))
    .filter((cycle) => cycle.length > 0)
    .sort((a, b) => compare(a[0]?.from ?? '', b[0]?.from ?? ''));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

interface Visit {
  readonly node: string;
  next: number;
}

function components<E extends Edge>(out: ReadonlyMap<string, readonly E[]>): Set<string>[] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const on = new Set<string>();
  const found: Set<string>[] = [];
  const enter = (node: string): Visit => {
    index.set(node, index.size);
    low.set(node, index.size - 1);
    stack.push(node);
    on.add(node);
    return { node, next: 0 };
  };
  const lower = (node: string, value: number): void =>
    void low.set(node, Math.min(low.get(node) ?? value, value));
  const leave = (node: string): void => {
    if (low.get(node) !== index.get(node)) return;
    const members = new Set<string>();
    for (let top = stack.pop(); top !== undefined; top = top === node ? undefined : stack.pop()) {
      on.delete(top);
      members.add(top);
    }
    found.push(members);
  };
  for (const root of out.keys()) {
    const work: Visit[] = index.has(root) ? [] : [enter(root)];
    for (let visit = work.at(-1); visit !== undefined; visit = work.at(-1)) {
      const edge = out.get(visit.node)?.[visit.next++];
      if (edge === undefined) {
        work.pop();
        leave(visit.node);
        const parent = work.at(-1);
        if (parent !== undefined) lower(parent.node, low.get(visit.node) ?? 0);
      } else if (!index.has(edge.to)) work.push(enter(edge.to));
      else if (on.has(edge.to)) lower(visit.node, index.get(edge.to) ?? 0);
    }
  }
  return found;
}

/** Breadth-first search from the smallest node back to itself, inside one component. */
function shortestCycle<E extends Edge>(
  out: ReadonlyMap<string, readonly E[]>,
  members: ReadonlySet<string>,
): E[] {
  const [start] = [...members].sort();
  if (start === undefined) return [];
  const came = new Map<string, E>();
  const queue = [start];
  for (const node of queue) {
    for (const edge of out.get(node) ?? []) {
      if (!members.has(edge.to)) continue;
      if (edge.to === start) return pathTo(came, start, edge);
      if (came.has(edge.to)) continue;
      came.set(edge.to, edge);
      queue.push(edge.to);
    }
  }
  return [];
}

function pathTo<E extends Edge>(came: ReadonlyMap<string, E>, start: string, last: E): E[] {
  const path = [last];
  for (let node = last.from; node !== start;) {
    const edge = came.get(node);
    if (edge === undefined) return [];
    path.push(edge);
    node = edge.from;
  }
  return path.reverse();
}
