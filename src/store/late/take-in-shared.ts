// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * What this machine could not tell a ledger that others share: told before the next of its commits. Others of its processes may do it
 * at the same time, or one may have died behind its commit: the engine knows each by its id, and takes it once.
 */
import { decide } from '../../core/decide.ts';
import { judgeAmong } from '../../core/rules/among-machines.ts';
import type { Facts } from '../../core/types.ts';
import type { Store } from '../store.ts';
import { transact } from '../transact.ts';
import { eachLate } from './each-late.ts';
import type { LateStep } from './late-file.ts';
import { datedLate, toldLate, wasTaken } from './told-late.ts';

export interface TakingIn {
  readonly state_dir: string;
  /** Without taking in by itself. */
  readonly store: Store;
  readonly shared_as: string;
  readonly facts: () => Pick<Facts, 'now' | 'isDead' | 'machine' | 'machine_boot'>;
}

/** @throws what keeps the ledger from being written */
export function takeInShared(ledger: TakingIn): void {
  eachLate(ledger.state_dir, {
    order: ({ now, left_us }) => now.wall_ms * 1e3 + (left_us % 1e3),
    isTold: (late) => late.shared_as === ledger.shared_as && wasTaken(() => take(ledger, late)),
  });
}

/** By the moment at which it happened, where the engine still has the clock of then. An agent that has another life by now has no such end. */
function take({ store, facts }: TakingIn, late: LateStep): void {
  const { id, event, now: then, policy, guard_command } = late;
  const here = facts();
  transact(
    store,
    (view) => {
      const now = then.boot === view.now.boot ? then : view.now;
      const seen = { ...here, now, policy, guard_command };
      const at = { ...view, now };
      const told = toldLate(event, event.who);
      return datedLate(
        judgeAmong(at, told, seen, (shown, asked, judged) => decide(shown, asked, judged)),
        late,
      );
    },
    { id },
  );
}
