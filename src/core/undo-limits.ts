/** What file contents are kept for `guard undo` and `guard blame`: how much, for how long, and which never. */

/** The limits from one configuration; a missing key leaves that limit unchanged. */
export interface UndoLayer {
  readonly enabled?: boolean;
  readonly max_mb?: number;
  readonly max_age_ms?: number;
  /** Globs on paths relative to the checkout. */
  readonly exclude?: readonly string[];
}

export interface UndoLimits {
  readonly enabled: boolean;
  readonly max_bytes: number;
  readonly max_age_ms: number;
  readonly exclude: readonly string[];
}

const MIB = 1 << 20;

/** 64 MiB hold about 15,000 versions of source files of 10 KB, compressed; a week is longer than most branches live. */
export const UNDO_DEFAULTS: UndoLimits = {
  enabled: true,
  max_bytes: 64 * MIB,
  max_age_ms: 7 * 86_400_000,
  exclude: [],
};

/** Larger files are rarely written by hand, and a hook has a file's bytes in memory only up to 16 MiB. */
export const KEPT_FILE_BYTES = 4 * MIB;
export const UNDO_MAX = { mb: 4_096, age_ms: 30 * 86_400_000 } as const;

/**
 * The first layer is the user's own configuration and may set any value. Later ones come from elsewhere and can only
 * lower the limits: a repository must not fill a disk or keep what its user would not.
 */
export function undoLimits([own, ...others]: readonly (UndoLayer | undefined)[]): UndoLimits {
  const chosen = {
    enabled: own?.enabled ?? UNDO_DEFAULTS.enabled,
    max_bytes: own?.max_mb === undefined ? UNDO_DEFAULTS.max_bytes : own.max_mb * MIB,
    max_age_ms: own?.max_age_ms ?? UNDO_DEFAULTS.max_age_ms,
    exclude: own?.exclude ?? [],
  };
  return others.reduce<UndoLimits>(
    (below, layer) => ({
      enabled: below.enabled && layer?.enabled !== false,
      max_bytes: Math.min(below.max_bytes, (layer?.max_mb ?? Infinity) * MIB),
      max_age_ms: Math.min(below.max_age_ms, layer?.max_age_ms ?? Infinity),
      exclude: [...new Set([...below.exclude, ...(layer?.exclude ?? [])])],
    }),
    chosen,
  );
}
