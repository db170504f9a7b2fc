/** The messages that two threads exchange about a store. Every value survives a structured clone. */
import type { MessagePort } from 'node:worker_threads';
import type { LedgerRecord, Lsn, RecordBody } from '../../core/ledger.ts';
import { type ErrorFacts, GuardError, isGuardError } from '../../core/error.ts';
import { lookOf } from '../look.ts';
import type { Committed, Index, Read, StoreLook } from '../store.ts';

type WireLook = Omit<StoreLook, 'get'>;

/** Each question, with the type of its answer. */
export interface Questions {
  look(keys: readonly string[], indexes: readonly Index[]): WireLook;
  commit(read: Read, records: readonly RecordBody[], id: string | undefined): WireCommitted;
  /** At most `most` records, starting at `from`. */
  scan(from: Lsn, most: number): readonly LedgerRecord[];
  tip(): Lsn;
  close(): null;
}

export type Question = {
  [Name in keyof Questions]: { readonly name: Name; readonly args: Parameters<Questions[Name]> };
}[keyof Questions];

/** Sends the records at and after `from` to their own port, until that port is closed. */
export interface Watching {
  readonly name: 'watch';
  readonly from: Lsn;
  readonly to: MessagePort;
}

export type ThreadAsk = { readonly nth: number; readonly asked: Question } | Watching;

export type ThreadAnswer =
  { readonly nth: number; readonly value: unknown } | { readonly nth: number; readonly failure: ToldError };

export type SentRecord = { readonly record: LedgerRecord } | { readonly failure: ToldError };

export type WireCommitted =
  Exclude<Committed, { readonly verdict: 'moved' }> | { readonly verdict: 'moved'; readonly look: WireLook };

/** What the engine's thread is started with. `rung` counts the answers it has sent. */
export interface ThreadData {
  readonly config: unknown;
  readonly port: MessagePort;
  readonly rung: Int32Array;
}

export const lookOnWire = ({ states, lists, tip, top, now, indexed }: StoreLook): WireLook => ({
  states,
  lists,
  tip,
  top,
  now,
  indexed,
});

export const committedOnWire = (done: Committed): WireCommitted =>
  done.verdict === 'moved' ? { verdict: 'moved', look: lookOnWire(done.look) } : done;

export const committedOf = (done: WireCommitted): Committed =>
  done.verdict === 'moved' ? { verdict: 'moved', look: lookOf(done.look) } : done;

/** Keeps only the fields that a commit compares. */
export const readOnWire = ({ tip, indexed, keys, lists }: Read): Read => ({
  ...{ tip, indexed, keys },
  lists: lists.map(({ below, since, most, after, version }) => ({
    ...{ below, since, version },
    ...(most === undefined ? {} : { most }),
    ...(after === undefined ? {} : { after }),
  })),
});

/** A cloned error loses its code, so the code travels as a field. */
export interface ToldError {
  readonly code: GuardError['code'] | null;
  readonly message: string;
  readonly hint: string;
  readonly facts: ErrorFacts;
}

export const toldErrorOf = (error: unknown): ToldError =>
  isGuardError(error)
    ? { code: error.code, message: error.message, hint: error.hint, facts: error.facts }
    : {
        code: null,
        message: error instanceof Error ? (error.stack ?? error.message) : String(error),
        hint: '',
        facts: {},
      };

export const errorOf = ({ code, message, hint, facts }: ToldError): Error =>
  code === null ? new Error(message) : new GuardError(code, message, hint, facts);
