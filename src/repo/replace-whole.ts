/**
 * Puts one file in place of another in one step: written beside it, then renamed, so that whoever reads sees the old one
 * or the new one, whole. What a process leaves beside it that is killed in between does no harm.
 */
import fs from 'node:fs';

export interface Replacing {
  /** Absent: for this user alone. */
  readonly mode?: number;
  /** On the disk before it gets its name, for what must outlive a power loss. */
  readonly flush?: boolean;
  /** Where it is written first, in the same directory. Absent: a name that no other process takes. */
  readonly aside?: string;
  /** What is to be done once it is written, before it gets its name: whatever this throws, the file stays as it was. */
  readonly ready?: (aside: string) => void;
}

/** @throws the system's error, or that of `ready`; then the file is as it was, and nothing is left beside it */
export function replaceWhole(
  file: string,
  content: string | Uint8Array,
  { mode = 0o600, flush = false, aside = besides(file), ready }: Replacing = {},
): void {
  try {
    fs.writeFileSync(aside, content, { mode, flag: 'wx', flush });
    ready?.(aside);
    fs.renameSync(aside, file);
  } catch (error) {
    fs.rmSync(aside, { force: true });
    throw error;
  }
}

/** Processes of two containers may have one number. */
const besides = (file: string): string => `${file}.${process.pid}.${process.hrtime.bigint()}.tmp`;

/** The same where its directory may be missing, which is then made for this user alone. `recursive`: those above it, too. */
export function replaceWithin(
  dir: string,
  name: string,
  content: string | Uint8Array,
  recursive = false,
): void {
  try {
    replaceWhole(`${dir}/${name}`, content);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    fs.mkdirSync(dir, { recursive, mode: 0o700 });
    replaceWhole(`${dir}/${name}`, content);
  }
}
