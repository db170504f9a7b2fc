// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** A rule's event that could not be written down: kept beside the ledger, where it is the end of something that was done. */
import { constants, existsSync } from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import type { EventOf, EventType, Rules } from '../../core/decide.ts';
import { GuardError, isGuardError } from '../../core/error.ts';
import type { Facts } from '../../core/types.ts';
import { monotonicUs } from '../../repo/clock.ts';
import { readInstall } from '../../repo/install.ts';
import { nameHash } from '../../repo/name-hash.ts';
import { replaceWhole } from '../../repo/replace-whole.ts';
import { close, LOCK, makeDir, openFile, syncDir } from '../embedded/files.ts';
import { NOWHERE } from '../embedded/home.ts';
import type { Home } from '../embedded/home-identity.ts';
import { fill } from '../placeholder.ts';
import { sealLine } from '../sealed-line.ts';
import type { Store } from '../store.ts';
import { judgeOf } from '../operate.ts';
import { consult } from '../transact.ts';
import { answering } from './answered-event.ts';
import {
  isKeptType,
  LATE_BYTES_MAX,
  LATE_MAX,
  LATE_VERSION,
  lateDir,
  type LateEvent,
  lateNames,
  type LateStep,
} from './late-file.ts';

/** What was to be written down, and where. */
export interface Unwritten<T extends EventType> {
  readonly state_dir: string;
  readonly store: Store;
  readonly event: EventOf<T>;
  readonly facts: Facts;
  /** Of its commit, where that has one. */
  readonly id: string | undefined;
  /** How long it was waited for. */
  readonly lock_deadline_ms: number;
}

/** Who waits for less tries again (src/http/wait-in-line.ts). */
const WAITED_MS = 1_000;

/** What may be over in a moment, or when somebody has made room. */
const PASSING = /^GUARD_ERR_(?:BUSY|FULL|IO|ENGINE_AWAY)$/;

/**
 * What the rule answers on the ledger as it is now: the event is kept, and goes on record with the next commit of anybody.
 * @throws what kept it from being written, where it cannot be kept either, or nobody can say what the rule would answer
 */
export function leaveLate<T extends EventType>(error: unknown, told: Unwritten<T>): Rules[T]['result'] {
  const isOver = isGuardError(error) && PASSING.test(error.code) && told.lock_deadline_ms >= WAITED_MS;
  const tokens = tokensIn(error);
  if (!isOver || !isKept(told.event, tokens)) throw error;
  const [event, asked] = answering(told.event);
  const judge = { ...told, event: asked };
  const seen = attempt(() => [judged(judge)] as const, null);
  if (!attempt(() => writeDown({ ...told, tokens }, event() as LateEvent), false)) throw error;
  told.store.left?.();
  if (seen !== null) return seen[0];
  const message = `${error.message} What was done is kept, and goes on record as soon as that is possible.`;
  throw new GuardError(error.code, message, error.hint, { ...error.facts, kept: true }, error);
}

/** Of a write that begins under leases that are kept (workspace/cached-ledger.ts). */
function tokensIn(error: unknown): LateStep['tokens'] {
  const told = isGuardError(error) ? error.facts['tokens'] : undefined;
  return typeof told === 'string' ? (JSON.parse(told) as LateStep['tokens']) : undefined;
}

/** "Whatever is open" is another thing later. */
const isKept = (
  event: { readonly type: EventType; readonly ops?: unknown },
  tokens: LateStep['tokens'],
): boolean =>
  isKeptType(event.type) && event.ops !== null && (event.type === 'write.begin') === (tokens !== undefined);

/** Waits for nobody: that was done. */
const judged = <T extends EventType>({ store, event, facts }: Unwritten<T>): Rules[T]['result'] =>
  consult(store, (view) => fill(judgeOf<T>(store, event, facts)(view).result, view.tip), { wait_ms: 0 });

function homeOf(dir: string): Home {
  const { fd, ino, birth_ms } = openFile(dir, LOCK, constants.O_RDONLY);
  close(fd);
  return { ino, birth_ms };
}

/** As often as somebody who took in all there was removes the directory between two steps of this. */
const TRIES = 10;

function writeDown<T extends EventType>(
  told: Unwritten<T> & Pick<LateStep, 'tokens'>,
  event: LateEvent,
): boolean {
  const { state_dir, store, facts, tokens } = told;
  const { now, policy, guard_command } = facts;
  const { shared_as } = store.supports.shared ? readInstall(state_dir) : {};
  const left_us = monotonicUs();
  const id = told.id ?? `late.${process.pid}.${left_us}.${Math.random().toString(36).slice(2)}`;
  const step: LateStep = {
    v: LATE_VERSION,
    id,
    ...(shared_as === undefined ? { home: homeOf(state_dir) } : { home: NOWHERE, shared_as, tokens }),
    event,
    now,
    policy,
    guard_command,
    left_us,
  };
  const line = sealLine(step);
  const dir = lateDir(state_dir);
  const file = `${dir}/${nameHash(`${event.who.id}\0${id}`)}.json`;
  if (existsSync(file)) return true;
  if (Buffer.byteLength(line) > LATE_BYTES_MAX || lateNames(state_dir).length >= LATE_MAX) return false;
  const { durable } = store.supports;
  const write = (): boolean => {
    makeDir(dir);
    replaceWhole(file, line, { flush: durable });
    if (durable) for (const one of [dir, state_dir]) syncDir(one);
    return true;
  };
  for (let tries = 1; tries < TRIES; tries++) if (attempt(write, false)) return true;
  return write();
}
