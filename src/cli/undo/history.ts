/** The versions of a file, from the ledger's archive to what is on disk now. */
import type { LedgerRecord } from '../../core/ledger.ts';
import { type Version, versionsOf, withDisk } from '../../core/versions.ts';
import type { Digest } from '../../core/types.ts';
import { keptContent } from '../../contents/read-content.ts';
import type { Target } from '../../repo/canonical.ts';
import { digestFile, type DiskFact } from '../../repo/digest.ts';
import { keptRecords } from '../../store/kept-records.ts';
import type { Workspace } from '../../workspace/workspace.ts';

export interface History {
  readonly target: Target;
  readonly disk: DiskFact;
  /** Oldest first; the last one is what is on disk, if anything is known at all. */
  readonly versions: readonly Version[];
}

/** Commands may take their time. */
const NO_DEADLINE = (): void => undefined;

export const onDisk = ({ real }: Pick<Target, 'real'>): DiskFact =>
  digestFile(real, { deadline: NO_DEADLINE, want_bytes: true });

export const allRecords = ({ repo, store }: Workspace): Generator<LedgerRecord, void> =>
  keptRecords(repo.state_dir, store);

export function historyOf(space: Workspace, target: Target): History {
  const disk = onDisk(target);
  const versions = versionsOf(allRecords(space), target.path);
  const is_known = disk.state === 'file' || disk.state === 'missing';
  return { target, disk, versions: is_known ? withDisk(versions, disk.digest) : versions };
}

/** A version's content, from the store or from disk. `undefined`: not kept; `null`: there was no file. */
export function bytesOfVersion(
  { repo }: Pick<Workspace, 'repo'>,
  disk: DiskFact,
  digest: Digest | null,
): Buffer | null | undefined {
  if (digest === null) return null;
  if (disk.digest === digest && disk.bytes !== undefined) return disk.bytes;
  return keptContent(repo.state_dir, digest) ?? undefined;
}
