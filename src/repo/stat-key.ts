/** A stamp that differs after every change of a file: device, inode, size, times. A directory's also after changes of its entries. */
import { type BigIntStats, lstatSync, statSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';

export interface Stamp {
  /** `dev.ino.size.mtimeNs.ctimeNs`; '' if there is no such file, or it may not be examined. */
  readonly key: string;
  /** Null: there is no such file. */
  readonly ctime_ms: number | null;
  readonly mtime_ms: number | null;
  readonly bytes: number;
}

const NOTHING: Stamp = { key: '', ctime_ms: null, mtime_ms: null, bytes: 0 };

/** The stamp of the file itself, even if it is a link. */
export const stampOf = (file: string): Stamp => stampBy(lstatSync, file);

/** The stamp of a link's target, which is what reading the file by this name returns. */
export const stampBehind = (file: string): Stamp => stampBy(statSync, file);

type Look = (file: string, options: { bigint: true; throwIfNoEntry: false }) => BigIntStats | undefined;

const stampBy = (look: Look, file: string): Stamp =>
  attempt(() => {
    // Most names that are looked up do not exist, and an exception costs more than the lookup.
    const stat = look(file, { bigint: true, throwIfNoEntry: false });
    if (stat === undefined) return NOTHING;
    const { dev, ino, size, mtimeNs, ctimeNs } = stat;
    const key = [dev, ino, size, mtimeNs, ctimeNs].join('.');
    return { key, ctime_ms: Number(ctimeNs) / 1e6, mtime_ms: Number(mtimeNs) / 1e6, bytes: Number(size) };
  }, NOTHING);
