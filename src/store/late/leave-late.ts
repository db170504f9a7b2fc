// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Keeps an event next to the ledger if it could not be recorded but ends something that has already happened. */
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

/** What was to be recorded, and where. */
export interface Unwritten<T extends EventType> {
  readonly state_dir: string;
  readonly store: Store;
  readonly event: EventOf<T>;
  readonly facts: Facts;
  /** Id of the commit, if it has one. */
  readonly id: string | undefined;
  /** How long the lock was waited for. */
  readonly lock_deadline_ms: number;
}

/** Callers that wait for less try again themselves (src/http/wait-in-line.ts). */
const WAITED_MS = 1_000;

/** Failures that may pass on their own, or once a person has freed some space, or repaired or updated a shared engine. */
const PASSING = /^GUARD_ERR_(?:BUSY|FULL|IO|ENGINE_(?:ACCESS|AWAY|RESTORED|VERSION))$/;
/** A shared engine may also fail in a way that nobody foresaw, or because of what another member wrote there. */
const isPassing = (code: string, { supports }: Store): boolean =>
  PASSING.test(code) || (supports.shared && /^GUARD_ERR_(?:INTERNAL|CORRUPT)$/.test(code));

/**
 * Returns what the rule answers on the current ledger. The event is kept, and recorded with the next commit by anyone.
 * @throws the original failure if the event cannot be kept either, or if the rule's answer cannot be determined
 */
export function leaveLate<T extends EventType>(error: unknown, told: Unwritten<T>): Rules[T]['result'] {
  const isOver =
    isGuardError(error) && isPassing(error.code, told.store) && told.lock_deadline_ms >= WAITED_MS;
  const tokens = tokensIn(error);
  if (!isOver || !isKept(told.event, tokens)) throw error;
  const [event, asked] = answering(told.event);
  const judge = { ...told, event: asked };
  const seen = attempt(() => [judged(judge)] as const, null);
  if (!attempt(() => writeDown({ ...told, tokens }, event() as LateEvent), false)) throw error;
  told.store.left?.();
  if (seen !== null) return seen[0];
  const message = `${error.message} What was done is kept, and will be recorded as soon as possible.`;
  throw new GuardError(error.code, message, error.hint, { ...error.facts, kept: true }, error);
}

/** For a write that begins under cached leases (workspace/cached-ledger.ts). */
function tokensIn(error: unknown): LateStep['tokens'] {
  const told = isGuardError(error) ? error.facts['tokens'] : undefined;
  return typeof told === 'string' ? (JSON.parse(told) as LateStep['tokens']) : undefined;
}

/** An event about "all open ops" (`ops: null`) would mean something else later. */
const isKept = (
  event: { readonly type: EventType; readonly ops?: unknown },
  tokens: LateStep['tokens'],
): boolean =>
  isKeptType(event.type) && event.ops !== null && (event.type === 'write.begin') === (tokens !== undefined);

/** Does not wait, because the failed commit already has. */
const judged = <T extends EventType>({ store, event, facts }: Unwritten<T>): Rules[T]['result'] =>
  consult(store, (view) => fill(judgeOf<T>(store, event, facts)(view).result, view.tip), { wait_ms: 0 });

function homeOf(dir: string): Home {
  const { fd, ino, birth_ms } = openFile(dir, LOCK, constants.O_RDONLY);
  close(fd);
  return { ino, birth_ms };
}

/** Retries for when another process, having taken in everything, removes the directory between two steps. */
const TRIES = 10;

function writeDown<T extends EventType>(
  told: Unwritten<T> & Pick<LateStep, 'tokens'>,
  event: LateEvent,
): boolean {
  const { state_dir, store, facts, tokens } = told;
  const { now, policy, guard_command, machine_boot } = facts;
  const { shared_as } = store.supports.shared ? readInstall(state_dir) : {};
  const left_us = monotonicUs();
  const id = told.id ?? `late.${process.pid}.${left_us}.${Math.random().toString(36).slice(2)}`;
  const step: LateStep = {
    v: LATE_VERSION,
    id,
    ...(shared_as === undefined
      ? { home: homeOf(state_dir) }
      : { home: NOWHERE, shared_as, tokens, machine_boot }),
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
