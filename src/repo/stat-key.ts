/** What changes with every change of a file: device, inode, size, times. Of a directory also what is in it. */
import { type BigIntStats, lstatSync, statSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';

export interface Stamp {
  /** `dev.ino.size.mtimeNs.ctimeNs`; '' where there is nothing, or nothing that may be looked at. */
  readonly key: string;
  /** Null: there is no such file. */
  readonly ctime_ms: number | null;
  readonly mtime_ms: number | null;
  readonly bytes: number;
}

const NOTHING: Stamp = { key: '', ctime_ms: null, mtime_ms: null, bytes: 0 };

/** Of the file itself; of a link its own. */
export const stampOf = (file: string): Stamp => stampBy(lstatSync, file);

/** Of what a link leads to: whoever reads the file by this name gets that. */
export const stampBehind = (file: string): Stamp => stampBy(statSync, file);

type Look = (file: string, options: { bigint: true; throwIfNoEntry: false }) => BigIntStats | undefined;

const stampBy = (look: Look, file: string): Stamp =>
  attempt(() => {
    // Most names that are asked for are no files, and an exception costs more than the look.
    const stat = look(file, { bigint: true, throwIfNoEntry: false });
    if (stat === undefined) return NOTHING;
    const { dev, ino, size, mtimeNs, ctimeNs } = stat;
    const key = [dev, ino, size, mtimeNs, ctimeNs].join('.');
    return { key, ctime_ms: Number(ctimeNs) / 1e6, mtime_ms: Number(mtimeNs) / 1e6, bytes: Number(size) };
  }, NOTHING);
