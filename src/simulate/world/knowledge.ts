/** What each agent knows about each file, as hooks record it next to the ledger. */
import type { Baseline } from '../../core/rules/baseline.ts';
import type { AgentId, Digest, RepoPath } from '../../core/types.ts';

/** With the times when it last saw all of the file (0: never) and a part of it. */
type KnownThen = Baseline & { readonly at_ms: number; readonly part_ms?: number };

export interface Knowledge {
  readonly of: (path: RepoPath, agent: AgentId) => KnownThen | null;
  readonly set: (path: RepoPath, agent: AgentId, known: KnownThen) => void;
  /** The same content now has another digest. */
  readonly rename: (path: RepoPath, from: Digest, to: Digest | null) => void;
}

export function openKnowledge(): Knowledge {
  const paths = new Map<RepoPath, Map<AgentId, KnownThen>>();
  return {
    of: (path, agent) => paths.get(path)?.get(agent) ?? null,
    set(path, agent, known) {
      const agents = paths.get(path) ?? new Map<AgentId, KnownThen>();
      paths.set(path, agents);
      agents.set(agent, known);
    },
    rename(path, from, to) {
      const agents = paths.get(path);
      for (const [agent, known] of agents ?? [])
        if (known.digest === from || known.partial?.digest === from)
          agents?.set(agent, renamed(known, from, to));
    },
  };
}

function renamed({ partial, ...known }: KnownThen, from: Digest, to: Digest | null): KnownThen {
  const knows = known.digest === from && to === null ? 'absent' : known.knows;
  const digest = known.digest === from ? to : known.digest;
  if (partial === undefined) return { ...known, knows, digest };
  if (partial.digest !== from) return { ...known, knows, digest, partial };
  return to === null
    ? { ...known, knows, digest }
    : { ...known, knows, digest, partial: { ...partial, digest: to } };
}
