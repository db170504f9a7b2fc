/** Waiters in one process on a real ledger, with their looks counted. */
import { closeSync, constants, openSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { workspaceAround } from '../../src/cli/workspace.ts';
import type { Acquired } from '../../src/locks/rows.ts';
import { waitForLocks, type Waiting, type WaitOptions } from '../../src/locks/wait.ts';
import { openWaiters, type Waiters } from '../../src/locks/waiters.ts';
import type { Who } from '../../src/core/rules/who.ts';
import { blockThread } from '../../src/repo/block-thread.ts';
import { chooseFlock } from '../../src/store/flock/flock.ts';
import type { CallerWorkspace, Workspace } from '../../src/workspace/workspace.ts';
import type { Scratch } from '../claude/driver.ts';

export interface Started {
  readonly done: Promise<Acquired>;
  readonly told: Waiting[];
  /** Resolves after the n-th progress report of the wait. */
  readonly toldTimes: (n: number) => Promise<void>;
  readonly cancel: () => void;
}

export interface OneProcess {
  /** Number of transactions by waiters so far: looks and ends of waits. */
  readonly looks: () => number;
  readonly space: Workspace;
  readonly wait: (agent: string, paths: readonly string[], options?: Partial<WaitOptions>) => Started;
  /** Every call opens its own workspace, as calls to the server do. */
  readonly release: (agent: string, ...paths: readonly string[]) => void;
}

const agentNamed = (id: string): Who => ({ id, kind: 'session', parent: null, session: null, proc: null });

export function oneProcess(at: Scratch): OneProcess {
  let looks = 0;
  const waiters = openWaiters();
  const open = (): Workspace => {
    const space = workspaceAround({ cwd: at.root, env: at.env });
    onTestFinished(() => space.close());
    const { store } = space;
    const counting: typeof store = {
      ...store,
      still(use, options) {
        const answer = store.still?.(use, options);
        looks++;
        return answer as ReturnType<typeof use>;
      },
    };
    return { ...space, store: counting };
  };
  return {
    looks: () => looks,
    space: open(),
    wait: (agent, paths, options) => started({ ...open(), who: agentNamed(agent) }, waiters, paths, options),
    release: (agent, ...paths) => void open().run({ type: 'lock.release', who: agentNamed(agent), paths }),
  };
}

function started(
  space: CallerWorkspace,
  waiters: Waiters,
  paths: readonly string[],
  options: Partial<WaitOptions> = {},
): Started {
  const end = new AbortController();
  const told: Waiting[] = [];
  const heard: (() => void)[] = [];
  const onWaiting = (waiting: Waiting): void => {
    told.push({ ...waiting });
    for (const hear of heard.splice(0)) hear();
  };
  const done = waitForLocks(
    space,
    paths,
    { mode: 'exclusive', ttl_ms: null, all: false, timeout_ms: 60_000, ...options },
    { signal: end.signal, release: () => 'guard lock release', waiters, onWaiting },
  );
  done.catch(() => undefined);
  return {
    done,
    told,
    async toldTimes(n) {
      while (told.length < n) await new Promise<void>((resolve) => heard.push(resolve));
    },
    cancel: () => end.abort(),
  };
}

const TRIES = 1_000;
const PAUSE_MS = 10;

/** Keeps all others out of the ledger until the returned function is called. */
export function keepBusy({ state }: Scratch): () => void {
  const path = `${state}/lock`;
  const fd = openSync(path, constants.O_RDWR);
  const flock = chooseFlock();
  let free = flock.take({ fd, path });
  // A look that has the lock now releases it in a moment.
  for (let tries = 0; !free && tries < TRIES; tries++) {
    blockThread(PAUSE_MS);
    free = flock.take({ fd, path });
  }
  if (!free) throw new Error('somebody has the ledger');
  const letGo = free;
  const end = (): void => {
    letGo();
    closeSync(fd);
  };
  return end;
}
