/** A ledger without a repository, and ends that are left next to it. */
import { readdirSync, existsSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { GuardError } from '../../../src/core/error.ts';
import type { EventOf, EventType } from '../../../src/core/decide.ts';
import { agentKey, pathKey } from '../../../src/core/keys.ts';
import { asAgentState, asPathState } from '../../../src/core/states.ts';
import type { Now, ProcessMark } from '../../../src/core/types.ts';
import { readNow } from '../../../src/repo/clock.ts';
import { leaveLate } from '../../../src/store/late/leave-late.ts';
import { takeIn } from '../../../src/store/late/take-in.ts';
import { openStore } from '../../../src/store/open.ts';
import { operate } from '../../../src/store/operate.ts';
import type { Store } from '../../../src/store/store.ts';
import { busy } from '../../../src/store/told-failure.ts';
import { withDir } from '../scratch.ts';
import { agentNamed, factsAt, writeOf } from './writing.ts';

export const BUSY = busy(15_000, null);

export interface Ledger {
  readonly dir: string;
  readonly late: string;
  readonly store: Store;
  readonly run: <T extends EventType>(event: EventOf<T>) => unknown;
  readonly leave: <T extends EventType>(event: EventOf<T>, how?: Leaving) => unknown;
  readonly types: () => string[];
  readonly agent: (id: string) => ReturnType<typeof asAgentState>;
  readonly path: (path: string) => ReturnType<typeof asPathState>;
}

interface Leaving {
  readonly id?: string;
  readonly error?: GuardError;
  readonly now?: Now;
  /** That of another process. */
  readonly by?: Store;
}

export const onLedger = (test: (at: Ledger) => void): Promise<void> =>
  withDir((dir) => {
    // The process that holds the lock made this file.
    writeFileSync(`${dir}/lock`, '', { mode: 0o600 });
    const store = openStore({ dir, now: readNow, lock_deadline_ms: 1_000, takeIn });
    test({
      ...{ dir, late: `${dir}/late`, store },
      run: (event) => operate(store, event, factsAt(readNow())),
      leave: (event, { id, error = BUSY, now = readNow(), by = store } = {}) =>
        leaveLate(error, {
          ...{ state_dir: dir, store: by, event, facts: factsAt(now) },
          ...{ id, lock_deadline_ms: 15_000 },
        }),
      types: () => [...store.scan()].map(({ type }) => type),
      agent: (id) => asAgentState(store.look([agentKey(id)]).get(agentKey(id))),
      path: (path) => asPathState(store.look([pathKey(path)]).get(pathKey(path))),
    });
  });

export const present = (id: string, proc: ProcessMark | null = null) =>
  ({ type: 'agent.present', who: agentNamed(id, proc) }) as const;
export const over = (id: string) =>
  ({ type: 'turn.end', who: agentNamed(id), running: [], grace_ms: 0 }) as const;
export const WRITE = writeOf({ agent: 'a', op: 'op-1', path: 'f' });
export const OTHER = writeOf({ agent: 'b', op: 'op-2', path: 'f' });

/** The only file there. */
export const onlyFile = ({ late }: Ledger): string => `${late}/${readdirSync(late)[0] ?? ''}`;

/** An agent whose commit takes in what is there; it leaves nothing behind. */
export function takenIn(at: Ledger): void {
  at.run(present(`z${Math.random()}`));
  expect(existsSync(at.late)).toBe(false);
}
