/**
 * Puts one file in place of another in one step: written beside it, then renamed, so that whoever reads sees the old one
 * or the new one, whole. What a process leaves beside it that is killed in between does no harm.
 */
import fs from 'node:fs';

/**
 * For this user alone.
 *
 * @param flush on the disk before it gets its name, for what must outlive a power loss
 * @throws the system's error; then the file is as it was, and nothing is left beside it
 */
export function replaceWhole(file: string, content: string | Uint8Array, flush = false): void {
  // Processes of two containers may have one number.
  const aside = `${file}.${process.pid}.${process.hrtime.bigint()}.tmp`;
  try {
    fs.writeFileSync(aside, content, { mode: 0o600, flag: 'wx', flush });
    fs.renameSync(aside, file);
  } catch (error) {
    fs.rmSync(aside, { force: true });
    throw error;
  }
}

/** The same where its directory may be missing, which is then made for this user alone. `recursive`: those above it, too. */
export function replaceWithin(dir: string, name: string, content: string, recursive = false): void {
  try {
    replaceWhole(`${dir}/${name}`, content);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    fs.mkdirSync(dir, { recursive, mode: 0o700 });
    replaceWhole(`${dir}/${name}`, content);
  }
}
