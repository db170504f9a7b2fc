/** `.claude/guard-fleet.json`, which is committed: the name by which the engine of several machines knows the repository. */
import { join } from 'node:path';
import { parsedObject } from '../../core/json-object.ts';
import { GuardError } from '../../core/error.ts';
import { NAMED_FILE } from '../../repo/fleet-file.ts';
import { makeDirs } from '../../repo/make-dirs.ts';
import { replaceWhole } from '../../repo/replace-whole.ts';
import { readSmallFile } from '../../repo/small-file.ts';

export interface FleetName {
  readonly v: 1;
  /** A UUID. It is no secret: the engine decides who may use it. */
  readonly repository: string;
  /** The first commit; `null` if there was none, or the clone was shallow. */
  readonly first_commit: string | null;
}

const MAX_BYTES = 4_096;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** `null` if there is none. @throws GuardError GUARD_ERR_CONFIG */
export function readNamed(root: string): FleetName | null {
  const file = join(root, NAMED_FILE);
  const read = readSmallFile(file, MAX_BYTES);
  if (read.state === 'missing') return null;
  const { v, repository, first_commit } = parsedObject(read.state === 'unreadable' ? null : read.text);
  if (v !== 1 || typeof repository !== 'string' || !UUID.test(repository))
    throw new GuardError('GUARD_ERR_CONFIG', `${file} names no repository.`, 'Restore it from git.', {
      file,
    });
  return { v, repository, first_commit: typeof first_commit === 'string' ? first_commit : null };
}

export function writeNamed(root: string, named: FleetName): void {
  const file = join(root, NAMED_FILE);
  makeDirs(join(root, '.claude'));
  replaceWhole(file, `${JSON.stringify(named, null, 2)}\n`);
}
