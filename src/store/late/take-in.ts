// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Writes down what others could not, in the order in which it was done, before anything new is judged. */
import { existsSync, lstatSync, renameSync, rmdirSync } from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import { decide } from '../../core/decide.ts';
import { isGuardError } from '../../core/error.ts';
import { rfc3339 } from '../../core/rfc3339.ts';
import { sameProcess, type Who } from '../../core/rules/agent.ts';
import { changesOver } from '../../core/states.ts';
import type { AgentState, Facts, Now } from '../../core/types.ts';
import { monotonicUs, wallMs } from '../../repo/clock.ts';
import { isDead, machineId } from '../../repo/process.ts';
import { engineOn } from '../embedded/engine.ts';
import { LATE, makeDir, removeFile } from '../embedded/files.ts';
import { isHomeIn } from '../embedded/home.ts';
import { idAt } from '../embedded/ledger.ts';
import { asFailure } from '../failure.ts';
import type { Held } from '../embedded/lock.ts';
import { type StorePlace, useLedger } from '../embedded/use.ts';
import { NEXT } from '../placeholder.ts';
import type { Sight, Step } from '../store.ts';
import { transact } from '../transact.ts';
import { lateDir, type LateEvent, lateFiles, type LateStep, UNREAD } from './late-file.ts';

/** Whoever wrote it is dead by then, or has failed. */
const SCRATCH_MS = 60_000;

/** Whoever calls has the lock. @throws what keeps the ledger from being written */
export function takeIn(place: StorePlace, held: Held): void {
  const dir = lateDir(place.dir);
  // What a link leads to is nobody's to move.
  if (lstatSync(dir, { throwIfNoEntry: false })?.isDirectory() === false) setAside(place.dir, LATE, dir);
  const found = lateFiles(place.dir);
  for (const { name, kind } of found)
    if (kind === 'odd') setAside(place.dir, name);
    else if (kind === 'scratch' && isOld(`${dir}/${name}`)) attempt(() => removeFile(`${dir}/${name}`), null);
  const { boot } = place.now();
  const steps = found.flatMap((one) => (one.kind === 'step' ? [one] : []));
  const order = ({ now, left_us }: LateStep): number => (now.boot === boot ? left_us : left_us - 2 ** 52);
  for (const { name, step } of steps.sort((a, b) => order(a.step) - order(b.step))) {
    const isTold = isHomeIn(place.dir, step.home, held.home) && isTaken(place, held, step);
    if (isTold) remove(`${dir}/${name}`);
    else setAside(place.dir, name);
  }
  // Others may have left something meanwhile.
  attempt(() => rmdirSync(dir), null);
}

/** Or of a time that is not yet: the clock was set back. */
const isOld = (file: string): boolean =>
  attempt(() => Math.abs(wallMs() - lstatSync(file).mtimeMs) > SCRATCH_MS, false);

function remove(path: string): void {
  try {
    removeFile(path);
  } catch (error) {
    throw asFailure(error, `remove ${path}`, { path });
  }
}

/** Beside what is there by its name. */
function setAside(dir: string, name: string, from = `${lateDir(dir)}/${name}`): void {
  attempt(() => {
    makeDir(`${dir}/${UNREAD}`);
    const to = `${dir}/${UNREAD}/${name}`;
    renameSync(from, existsSync(to) ? `${to}.${monotonicUs()}` : to);
  }, null);
}

/** False: no rule can make anything of it. One use of the ledger each, as of any other commit. */
function isTaken(place: StorePlace, held: Held, late: LateStep): boolean {
  const { id, event } = late;
  try {
    useLedger(place, held, true, (ledger, attached) => {
      if (idAt(ledger, event.who.id, id) !== undefined) return;
      transact(engineOn(ledger, attached), (view) => stepOf(view, late), { id });
    });
    return true;
  } catch (error) {
    if (isGuardError(error) && error.code !== 'GUARD_ERR_INTERNAL') throw error;
    return false;
  }
}

/** Judged by the moment at which it happened; dated as any other record, with that moment beside it. */
function stepOf(view: Sight, { event, now: then, policy, guard_command }: LateStep): Step<unknown> {
  const state = changesOver(view).agent(event.who.id);
  const other = state?.live === true && !isSameLife(state, event.who, then) ? state : undefined;
  // Whatever the former life held or was doing ended with it. What was written was written.
  if (other !== undefined && event.type !== 'write.end') return { records: [], result: null };
  const who = other === undefined ? event.who : { ...event.who, proc: other.proc };
  const now = other === undefined || other.boot === then.boot ? then : view.now;
  const facts: Facts = {
    ...{ now, policy, guard_command, isDead },
    get machine() {
      return machineId();
    },
  };
  const happened_at = rfc3339(then.wall_ms);
  const { records, result } = decide(view, told(event, who), facts);
  return { records: records.map((body) => ({ ...body, ts_ms: NEXT, happened_at })), result };
}

const isSameLife = (state: AgentState, { proc }: Who, { boot }: Now): boolean =>
  state.boot === boot && (state.proc === null || proc === null || sameProcess(state.proc, proc));

/** The event as its rule takes it. */
function told(event: LateEvent, who: Who) {
  if (event.type !== 'write.end') return { ...event, who };
  const written = event.written.map(({ original: kept, ...one }) => ({
    ...one,
    original: ({ digest }: { readonly digest: unknown }) =>
      kept !== null && kept.digest === digest ? kept.verdict : ('unverified' as const),
  }));
  return { ...event, who, written };
}
