/** How much of the ledger's archive is kept, and for how long. */

/** The limits from one configuration; a missing key leaves that limit unchanged. */
export interface ArchiveLayer {
  readonly max_mb?: number;
  readonly max_age_ms?: number;
}

export interface ArchiveLimits {
  readonly max_bytes: number;
  readonly max_age_ms: number;
}

const MIB = 1 << 20;

/** 256 MiB hold about 2.5 GB of ledger, compressed: five million records. */
export const ARCHIVE_DEFAULTS: ArchiveLimits = { max_bytes: 256 * MIB, max_age_ms: 30 * 86_400_000 };
/** The lower bound: a file in the repository must not be able to erase what agents did a moment ago. */
export const ARCHIVE_LEAST = { mb: 16, age_ms: 86_400_000 } as const;
export const ARCHIVE_MOST = { mb: 65_536, age_ms: 3_650 * 86_400_000 } as const;

/** The first layer is the user's own; later ones can only lower its limits, as for contents (undo-limits.ts). */
export function archiveLimits([own, ...others]: readonly (ArchiveLayer | undefined)[]): ArchiveLimits {
  const least = (chosen: number, said: readonly (number | undefined)[]): number =>
    Math.min(chosen, ...said.map((one) => one ?? Infinity));
  const bytesOf = (layer: ArchiveLayer | undefined): number | undefined =>
    layer?.max_mb === undefined ? undefined : layer.max_mb * MIB;
  return {
    max_bytes: least(bytesOf(own) ?? ARCHIVE_DEFAULTS.max_bytes, others.map(bytesOf)),
    max_age_ms: least(
      own?.max_age_ms ?? ARCHIVE_DEFAULTS.max_age_ms,
      others.map((layer) => layer?.max_age_ms),
    ),
  };
}
