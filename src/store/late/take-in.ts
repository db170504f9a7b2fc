// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Records the events that others could not, in the order in which they happened, before anything new is decided. */
import { decide } from '../../core/decide.ts';
import { sameProcess } from '../../core/same-process.ts';
import type { Who } from '../../core/rules/who.ts';
import { changesOver } from '../../core/states.ts';
import type { AgentState, Facts, Now } from '../../core/types.ts';
import { isDead, machineId } from '../../repo/process.ts';
import { engineOn } from '../embedded/engine.ts';
import { isHomeIn } from '../embedded/home.ts';
import { idAt } from '../embedded/ledger.ts';
import type { Held } from '../embedded/lock.ts';
import { type StorePlace, useLedger } from '../embedded/use.ts';
import type { Sight, Step } from '../store.ts';
import { transact } from '../transact.ts';
import { eachLate } from './each-late.ts';
import type { LateStep } from './late-file.ts';
import { datedLate, toldLate, wasTaken } from './told-late.ts';

/** The caller must hold the lock. @throws whatever keeps the ledger from being written */
export function takeIn(place: StorePlace, held: Held): void {
  const { boot } = place.now();
  eachLate(place.dir, {
    order: ({ now, left_us }) => (now.boot === boot ? left_us : left_us - 2 ** 52),
    isTold: (step) => isHomeIn(place.dir, step.home, held.home) && isTaken(place, held, step),
  });
}

/** Opens the ledger once per event, as for any other commit. */
const isTaken = (place: StorePlace, held: Held, late: LateStep): boolean =>
  wasTaken(() =>
    useLedger(place, held, true, (ledger, attached) => {
      const { id, event } = late;
      if (idAt(ledger, event.who.id, id) !== undefined) return;
      transact(engineOn(ledger, attached), (view) => stepOf(view, late), { id });
    }),
  );

/** Decides by the time when it happened. */
function stepOf(view: Sight, late: LateStep): Step<unknown> {
  const { event, now: then, policy, guard_command } = late;
  const state = changesOver(view).agent(event.who.id);
  const other = state?.live === true && !isSameLife(state, event.who, then) ? state : undefined;
  // Everything the former life held or was doing ended with it. What it wrote remains written.
  if (other !== undefined && event.type !== 'write.end') return { records: [], result: null };
  const who = other === undefined ? event.who : { ...event.who, proc: other.proc };
  const now = other === undefined || other.boot === then.boot ? then : view.now;
  const facts: Facts = {
    ...{ now, policy, guard_command, isDead },
    get machine() {
      return machineId();
    },
  };
  return datedLate(decide(view, toldLate(event, who), facts), late);
}

const isSameLife = (state: AgentState, { proc }: Who, { boot }: Now): boolean =>
  state.boot === boot && (state.proc === null || proc === null || sameProcess(state.proc, proc));
