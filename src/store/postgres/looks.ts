/** Converts looks as the server answers them, from `guard.look_2` and from a `guard.commit_2` that found something moved. */
import type { Json, Key, Lsn } from '../../core/ledger.ts';
import { lookOf } from '../look.ts';
import type { Index, Listed, StoreLook } from '../store.ts';
import { bytesOfKey, keyOfHex } from './key-bytes.ts';

/** The rows of a page are keys only. Keys are hexadecimal. */
interface AnsweredList {
  readonly version: string;
  readonly rows: readonly (string | readonly [string, Json])[];
}

export interface Answered {
  readonly tip: Lsn;
  /** The newest number that is visible, even if smaller ones may still appear. */
  readonly top: Lsn;
  readonly now: number;
  /** When the epoch began, which is the zero of its clock. */
  readonly born: number;
  readonly epoch: string;
  readonly states: readonly (readonly [Lsn, Json])[];
  readonly lists: readonly AnsweredList[];
  /** Keys that the server included because others refer to them, after those asked for. Hexadecimal. */
  readonly more?: readonly string[];
}

/** Listings in the form that the functions take: below, since, most, after. */
export const listParameters = (indexes: readonly Index[]): readonly (readonly unknown[])[] => [
  indexes.map(({ below }) => bytesOfKey(below)),
  // `since` may be infinite: then no live agent can have touched anything.
  indexes.map(({ since }) => Math.min(since, Number.MAX_SAFE_INTEGER)),
  indexes.map(({ most = 0 }) => most),
  indexes.map(({ after }) => (after === undefined ? null : bytesOfKey(after))),
];

function listedOf({ below, since, most, after }: Index, { version, rows }: AnsweredList): Listed {
  const index = { below, since, ...(most === undefined ? {} : { most }) };
  if (after !== undefined) {
    const keys = rows.flatMap((row) => (typeof row === 'string' ? [keyOfHex(row)] : []));
    return { ...index, after, version, entries: [], keys };
  }
  const entries = rows.flatMap((row) =>
    typeof row === 'string' ? [] : [[keyOfHex(row[0]), row[1]] as const],
  );
  return { ...index, version, entries };
}

export function readLook(answer: Answered, asked: readonly Key[], indexes: readonly Index[]): StoreLook {
  const { tip, top, now, born, epoch, states, lists, more = [] } = answer;
  const stated = [...asked, ...more.map(keyOfHex)].map((key, at) => {
    const [version, state] = states[at] ?? [0, null];
    return [key, { version, state: version === 0 ? undefined : state }] as const;
  });
  return lookOf({
    states: new Map(stated),
    lists: indexes.map((index, at) => listedOf(index, lists[at] ?? { version: '', rows: [] })),
    ...{ tip, top },
    now: { mono_ms: now - born, wall_ms: now, boot: epoch },
    indexed: true,
  });
}
