/** Who wrote which files, and how often one agent wrote right after another. */
import { posix } from 'node:path';
import type { AgentId, RepoPath } from '../../core/types.ts';

export interface Contended {
  readonly path: string;
  readonly agents: number;
  readonly writes: number;
  /** Writes that followed one of another agent. */
  readonly handovers: number;
  readonly denied: number;
}

export interface Contention {
  readonly noteWrite: (path: RepoPath, agent: AgentId) => void;
  readonly noteDenied: (path: RepoPath) => void;
  /** Files with more than one agent, the most handovers first. */
  readonly files: () => readonly Contended[];
  /** The directories that directly contain such files. */
  readonly directories: () => readonly Contended[];
}

interface Count {
  readonly agents: Set<AgentId>;
  last: AgentId;
  writes: number;
  handovers: number;
  denied: number;
}

export function openContention(): Contention {
  const counts = new Map<RepoPath, Count>();
  const countOf = (path: RepoPath): Count => {
    const count = counts.get(path) ?? { agents: new Set(), last: '', writes: 0, handovers: 0, denied: 0 };
    counts.set(path, count);
    return count;
  };
  const contended = (): readonly (readonly [RepoPath, Count])[] =>
    [...counts].filter(([, { agents, denied }]) => agents.size > 1 || denied > 0);
  return {
    noteWrite(path, agent) {
      const count = countOf(path);
      count.writes++;
      if (count.last !== '' && count.last !== agent) count.handovers++;
      count.last = agent;
      count.agents.add(agent);
    },
    noteDenied(path) {
      countOf(path).denied++;
    },
    files: () => ranked(contended().map(([path, count]) => shown(path, count))),
    directories() {
      const dirs = new Map<string, Count>();
      for (const [path, count] of contended()) {
        const dir = posix.dirname(path);
        const sum = dirs.get(dir) ?? { agents: new Set(), last: '', writes: 0, handovers: 0, denied: 0 };
        dirs.set(dir, sum);
        for (const agent of count.agents) sum.agents.add(agent);
        sum.writes += count.writes;
        sum.handovers += count.handovers;
        sum.denied += count.denied;
      }
      return ranked([...dirs].map(([path, count]) => shown(path, count)));
    },
  };
}

const shown = (path: string, { agents, writes, handovers, denied }: Count): Contended => ({
  path,
  agents: agents.size,
  writes,
  handovers,
  denied,
});

const ranked = (rows: readonly Contended[]): readonly Contended[] =>
  rows.toSorted(
    (a, b) =>
      b.handovers - a.handovers || b.denied - a.denied || b.writes - a.writes || (a.path < b.path ? -1 : 1),
  );
