/** Puts a program into the home: written aside, compared by digest, then renamed. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GuardError } from '../../core/error.ts';
import { programContent, type ProgramContent, programFiles } from './content.ts';
import { VERSIONS } from './home.ts';
import { settleDir, writeWhole } from './whole-file.ts';

export interface PlacedProgram extends Pick<ProgramContent, 'name' | 'digest'> {
  /** What it is copied from: a directory, or a standalone binary. */
  readonly from: string;
  readonly files: readonly {
    /** Within the program, with `/`. */
    readonly path: string;
    readonly mode: number;
    readonly read: () => Uint8Array;
  }[];
}

/** Does nothing if the same content is already there. */
export function copyProgram(guard_root: string, home: string, content: ProgramContent): void {
  const files = programFiles(guard_root).map((path) => {
    const file = join(guard_root, path);
    return { path, mode: statSync(file).mode & 0o755, read: () => readFileSync(file) };
  });
  placeProgram(home, { name: content.name, digest: content.digest, from: guard_root, files });
}

/** The same for files from anywhere; a damaged directory of that name is replaced. */
export function placeProgram(home: string, { name, digest, from, files }: PlacedProgram): void {
  const place = join(home, VERSIONS, name);
  const isThere = (): boolean => existsSync(place) && programContent(place)?.digest === digest;
  if (isThere()) return;
  const aside = join(home, VERSIONS, `.${name}.${randomUUID()}`);
  try {
    for (const { path, mode, read } of files) {
      const to = join(aside, path);
      mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
      writeWhole(to, read(), mode);
    }
    if (programContent(aside)?.digest !== digest) throw changedMeanwhile(from);
    // Another process may have put it there meanwhile.
    if (isThere()) return;
    if (existsSync(place)) renameSync(place, `${aside}.damaged`);
    renameSync(aside, place);
    settleDir(join(home, VERSIONS));
  } finally {
    for (const left of [aside, `${aside}.damaged`]) rmSync(left, { recursive: true, force: true });
  }
}

function changedMeanwhile(guard_root: string): GuardError {
  return new GuardError(
    'GUARD_ERR_UNSTABLE',
    `The program in ${guard_root} changed while it was being copied.`,
    'Is it being installed just now? Run the same command again.',
    { guard_root },
  );
}
