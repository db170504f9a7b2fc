/** Checks that the ledger belongs to this place, for `verifyLedger`. */
import { statSync } from 'node:fs';
import { checkpointName, close, INDEX, list, LOCK, segmentName } from './files.ts';
import type { Header } from './header.ts';
import { judgeHome } from './home.ts';
import type { Home } from './home-identity.ts';
import { openIndex } from './index-file.ts';
import type { Problem } from './verify-report.ts';

function headerIn(dir: string, name: string): Header | undefined {
  const found = openIndex(dir, name, false);
  if (found !== undefined) close(found.file.fd);
  return found?.header;
}

function fileIn(dir: string, name: string): Home | undefined {
  const stats = statSync(`${dir}/${name}`, { throwIfNoEntry: false });
  return stats && { ino: stats.ino, birth_ms: Math.floor(stats.birthtimeMs) };
}

export function verifyHome(dir: string): Problem[] {
  const lock = fileIn(dir, LOCK);
  if (lock === undefined) return [];
  const { checkpoints } = list(dir);
  const index = headerIn(dir, INDEX);
  const newest = checkpoints.at(-1);
  const checkpoint = newest === undefined ? undefined : headerIn(dir, checkpointName(newest));
  const segment = index === undefined ? undefined : fileIn(dir, segmentName(index.base));
  const { isCopy } = judgeHome(dir, lock, { index, checkpoint, segment });
  return isCopy ? [{ kind: 'copied', file: LOCK, reason: 'a person can adopt it with guard init' }] : [];
}
