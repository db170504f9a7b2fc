/** Agents that act at times the test chooses, by guard's own rules, without a process for each. */
import { workspaceAround } from '../../src/cli/workspace.ts';
import { keepContent } from '../../src/contents/keep-content.ts';
import { UNDO_DEFAULTS } from '../../src/core/undo-limits.ts';
import type { EventOf, EventType } from '../../src/core/decide.ts';
import { digestBytes } from '../../src/repo/digest.ts';
import { openClock } from '../../src/repo/clock.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';
import type { Scratch } from '../claude/driver.ts';

export interface Stage {
  readonly space: Workspace;
  /** Subsequent events happen this many seconds ago. */
  ago(seconds: number): void;
  lock(agent: string, path: string): void;
  /** Queues for the file until it is released; once more, it renews its place in the queue. */
  wait(agent: string, path: string): void;
  release(agent: string, path: string): void;
  write(agent: string, path: string, from: string | null, to: string): void;
  /** Tries to write over the content it saw, which has since been replaced. */
  stale(agent: string, path: string, seen: string, found: string): void;
  run<T extends EventType>(event: EventOf<T>): unknown;
}

const who = (id: string) => ({ id, kind: 'session' as const, parent: null, session: id, proc: null });

export function stageIn(at: Scratch): Stage {
  const clock = openClock();
  const time = { ago_ms: 0 };
  const now = () => {
    const { mono_ms, wall_ms, boot } = clock();
    return { boot, mono_ms: mono_ms - time.ago_ms, wall_ms: wall_ms - time.ago_ms };
  };
  const space = workspaceAround({ cwd: at.root, env: at.env }, [], { now });
  const count = { op: 0 };
  const patience = new Map<string, number>();
  const keep = (path: string, text: string): string => {
    const bytes = Buffer.from(text);
    const digest = digestBytes(bytes);
    const store = { state_dir: space.state_dir, limits: UNDO_DEFAULTS, wall_ms: now().wall_ms };
    keepContent(store, { path, abs: at.path(path), digest, bytes });
    return digest;
  };
  const acquire = (agent: string, path: string, wait_until_mono_ms: number | null): void => {
    const asked = { paths: [path], mode: 'exclusive' as const, ttl_ms: null, all: false, wait_until_mono_ms };
    space.run({ type: 'lock.acquire', who: who(agent), ...asked });
  };
  const begin = (
    agent: string,
    path: string,
    digests: readonly [seen: string | null, disk: string | null],
  ): string => {
    const [seen, disk] = digests;
    const op = `toolu_${++count.op}`;
    const state = disk === null ? ('missing' as const) : ('file' as const);
    const target = {
      ...{ path, abs: at.path(path), form: null, objections: [] },
      disk: { state, digest: disk, ctime_ms: 0 },
      baseline: { turn: 1, knows: seen === null ? ('absent' as const) : ('content' as const), digest: seen },
      seen_touched: touchedOf(space, path),
    };
    space.run({ type: 'write.begin', who: who(agent), op, tool: 'Edit', targets: [target], home: null });
    return op;
  };
  return {
    space,
    ago(seconds) {
      time.ago_ms = seconds * 1000;
    },
    lock: (agent, path) => acquire(agent, path, null),
    wait(agent, path) {
      const name = `${agent} ${path}`;
      const until = patience.get(name) ?? now().mono_ms + 3_600_000;
      patience.set(name, until);
      acquire(agent, path, until);
    },
    release: (agent, path) => void space.run({ type: 'lock.release', who: who(agent), paths: [path] }),
    write(agent, path, from, to) {
      const [before, after] = [from === null ? null : keep(path, from), keep(path, to)];
      const op = begin(agent, path, [before, before]);
      const written = {
        path,
        digest: after,
        content: 'as_expected' as const,
        original: () => 'same' as const,
      };
      space.run({ type: 'write.end', who: who(agent), op, tool: 'Edit', written: [written] });
    },
    stale: (agent, path, seen, found) => void begin(agent, path, [keep(path, seen), keep(path, found)]),
    run: (event) => space.run(event),
  };
}

function touchedOf({ store }: Workspace, path: string): number {
  const state = store.look([`path:${path}`]).get(`path:${path}`) as { readonly touched?: number } | undefined;
  return state?.touched ?? 0;
}
