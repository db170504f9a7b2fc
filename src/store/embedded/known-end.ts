/** The furthest that the ledger is known to have reached, according to the index and the checkpoints. */
import type { Lsn } from '../../core/ledger.ts';
import { close, INDEX, list } from './files.ts';
import { openIndex } from './index-file.ts';

export function checkpointsAndIndexEnd(dir: string): Lsn {
  const index = openIndex(dir, INDEX, false);
  if (index !== undefined) close(index.file.fd);
  return Math.max(0, index?.header?.applied ?? 0, index?.header?.lost ?? 0, ...list(dir).checkpoints);
}
