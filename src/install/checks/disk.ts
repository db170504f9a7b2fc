import { closeSync, existsSync, fsyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../../repo/errno.ts';
import { checking, fail, ok } from '../check.ts';

/** A transaction needs a few hundred bytes; a new segment and the index need tens of thousands. */
const PROBE_BYTES = 65_536;
const MIB = 1_048_576;

const CAUSES: Readonly<Record<string, readonly [cause: string, cure: string]>> = {
  ENOSPC: ['the disk is full', 'Free some space, or inodes, there.'],
  EDQUOT: ['your disk quota is used up', 'Free some space there, or ask for more.'],
  EROFS: ['the file system is read-only', 'Mount it for writing; the kernel log may say why it is not.'],
};

/** Whether guard can record anything: writes 64 KiB, flushes them to disk, and removes them. */
export const disk = checking('disk', ({ repo }) => {
  const dir = repo.state_dir;
  if (!repo.initialised || !existsSync(dir)) return [];
  const facts = { dir, ...space(dir) };
  const errno = probe(dir);
  if (errno === null)
    return ok(`${Math.floor(facts.free_bytes / MIB)} MiB are free for the ledger`, { facts });
  const [cause, cure] = CAUSES[errno] ?? ['it cannot be written', 'Check its permissions and the disk.'];
  const message = `Nothing can be recorded in ${dir}, so writes are denied: ${cause} (${errno})`;
  return fail(message, { facts: { ...facts, errno }, hint: cure });
});

function space(dir: string): { readonly free_bytes: number; readonly free_files: number } {
  const { bavail, bsize, ffree } = statfsSync(dir);
  return { free_bytes: bavail * bsize, free_files: ffree };
}

/** The errno of what failed; `null` if nothing did. */
function probe(dir: string): string | null {
  const file = join(dir, `.probe.${process.pid}`);
  try {
    const fd = openSync(file, 'wx', 0o600);
    try {
      const bytes = Buffer.alloc(PROBE_BYTES);
      for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    return null;
  } catch (error) {
    return errnoOf(error);
  } finally {
    rmSync(file, { force: true });
  }
}
