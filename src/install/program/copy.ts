/** Copies a program into the home: written aside, compared by digest, then renamed. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GuardError } from '../../core/error.ts';
import { programContent, type ProgramContent, programFiles } from './content.ts';
import { VERSIONS } from './home.ts';
import { settleDir, writeWhole } from './whole-file.ts';

/** Does nothing if the same content is already there; a damaged directory of that name is replaced. */
export function copyProgram(guard_root: string, home: string, content: ProgramContent): void {
  const place = join(home, VERSIONS, content.name);
  if (existsSync(place) && programContent(place)?.digest === content.digest) return;
  const aside = join(home, VERSIONS, `.${content.name}.${randomUUID()}`);
  try {
    for (const file of programFiles(guard_root)) {
      const [from, to] = [join(guard_root, file), join(aside, file)];
      mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
      writeWhole(to, readFileSync(from), statSync(from).mode & 0o755);
    }
    if (programContent(aside)?.digest !== content.digest) throw changedMeanwhile(guard_root);
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
