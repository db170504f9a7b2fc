/** Where agents get in each other's way, by directory. */
import type { AgentId, RepoPath } from '../core/types.ts';
import type { DenialSeen } from './denials.ts';
import type { HeldSpan } from './span.ts';
import { isWithin, lengthIn, touches, type Window } from './window.ts';
import type { WriteSeen } from './writes.ts';

export interface DirectoryContention {
  /** `src/core`; '' for files at the root. */
  readonly directory: string;
  readonly waits: number;
  readonly waited_ms: number;
  readonly denials: number;
  readonly writes: number;
  readonly agents: number;
}

export interface Happened {
  readonly spans: readonly HeldSpan[];
  readonly writes: readonly WriteSeen[];
  readonly denials: readonly DenialSeen[];
}

interface Counting {
  waits: number;
  waited_ms: number;
  denials: number;
  writes: number;
  readonly agents: Set<AgentId>;
}

/** The most contended directories first. @param depth how many levels of directories to distinguish */
export function contentionOf(happened: Happened, window: Window, depth: number): DirectoryContention[] {
  const found = new Map<string, Counting>();
  const at = (path: RepoPath, agent: AgentId): Counting => {
    const directory = directoryOf(path, depth);
    const known = found.get(directory) ?? {
      ...{ waits: 0, waited_ms: 0, denials: 0, writes: 0, agents: new Set<AgentId>() },
    };
    found.set(directory, known);
    known.agents.add(agent);
    return known;
  };
  for (const span of happened.spans) {
    if (!touches(span, window)) continue;
    const counting = at(span.path, span.agent);
    if (span.kind !== 'wait') continue;
    counting.waits++;
    counting.waited_ms += lengthIn(span, window);
  }
  for (const { path, agent, ms } of happened.writes) if (isWithin(ms, window)) at(path, agent).writes++;
  for (const { paths, agent, ms } of happened.denials)
    if (isWithin(ms, window)) for (const path of paths) at(path, agent).denials++;
  return [...found]
    .map(([directory, { agents, ...counted }]) => ({ directory, ...counted, agents: agents.size }))
    .sort((a, b) => weight(b) - weight(a) || (a.directory < b.directory ? -1 : 1));
}

/** A denial costs its agent about one model call and a read, which equals ten seconds of waiting. */
const DENIAL_MS = 10_000;

const weight = ({ waited_ms, denials }: DirectoryContention): number => waited_ms + denials * DENIAL_MS;

function directoryOf(path: RepoPath, depth: number): string {
  const parts = path.split('/').slice(0, -1);
  // `//<worktree>/src/a.ts`: the checkout does not count as a level.
  const extra = path.startsWith('//') ? 3 : 0;
  return parts.slice(0, depth + extra).join('/');
}
