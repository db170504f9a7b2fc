/** Role files: what an agent is, what it may use, and its limits. `<rolesDir>/<name>.json`. */
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { attempt, unlessRefused } from '../core/attempt.ts';
import type { Access } from '../core/drafts.ts';
import { GuardError } from '../core/error.ts';
import { accessOf } from '../core/policy/role.ts';
import { checkedSlug, isSlug } from '../core/task-slug.ts';
import { namesIn } from '../repo/names-in.ts';
import { inside } from './inside.ts';
import { type RoleFields, roleIn } from './role-file.ts';

export interface Role extends RoleFields {
  /** When its file or the file's metadata last changed, by the file system's clock. */
  readonly changed_wall_ms: number;
}

/** @throws GuardError GUARD_ERR_USAGE if there is no such role, GUARD_ERR_INPUT if its file is wrong */
export function readRole(root: string, dir: string, name: string): Role {
  checkedSlug(name, 'role');
  const file = inside(root, join(dir, `${name}.json`));
  if (!existsSync(file)) throw unknownRole(name, file, { dir, known: roleNames(root, dir) });
  for (let at = file; at !== root; at = dirname(at))
    if (lstatSync(at).isSymbolicLink()) throw linked(file, at);
  const { ctimeMs } = lstatSync(file);
  return { ...roleIn(file, name, readFileSync(file, 'utf8')), changed_wall_ms: ctimeMs };
}

/** The names of all role files, valid or not. */
export const roleNames = (root: string, dir: string): readonly string[] =>
  attempt(() => namesIn(inside(root, dir)), [])
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .filter(isSlug)
    .sort();

function unknownRole(
  name: string,
  file: string,
  { dir, known }: { readonly dir: string; readonly known: readonly string[] },
): GuardError {
  const there = known.length === 0 ? 'There are none yet' : `Roles here: ${known.join(', ')}`;
  const hint =
    known.length === 0
      ? `"guard init --roles" writes two to start with. Roles are files in ${dir}: {"name": "${name}", "category": "worker", "prompt": "…"}.`
      : `Name one of them, or write ${dir}/${name}.json: {"name": "${name}", "category": "worker", "prompt": "…"}.`;
  const facts = { field: 'role', role: name, file, known: known.join(',') };
  return new GuardError('GUARD_ERR_USAGE', `No such role: ${name}. ${there}.`, hint, facts);
}

/** guard's hooks keep agents from writing only to the roles' directory itself, so a link could lead elsewhere. */
const linked = (file: string, link: string): GuardError =>
  new GuardError(
    'GUARD_ERR_PATH',
    `${file} is reached through the symbolic link ${link}.`,
    'Put role files into a separate directory, named by "rolesDir" in guard.config.json.',
    { file, link },
  );

export interface RoleRow {
  readonly name: string;
  /** `null` if its file is wrong. */
  readonly role: Role | null;
  readonly access: Access | null;
  readonly problem: string | null;
}

/** Every role here, with any fault in its file. */
export const listRoles = (root: string, dir: string, full_access: readonly string[]): readonly RoleRow[] =>
  roleNames(root, dir).map((name) =>
    unlessRefused<RoleRow>(
      () => {
        const role = readRole(root, dir, name);
        return { name, role, access: accessOf(role.category, full_access), problem: null };
      },
      ({ message }) => ({ name, role: null, access: null, problem: message }),
    ),
  );
