/**
 * What a person allowed a repository to do in its agents' worktrees, verbatim. Kept in the user's own directory, because
 * anything in the repository may have come with it.
 */
import { join } from 'node:path';
import { asObject, parsedObject } from '../core/json-object.ts';
import { digestBytes } from '../repo/digest.ts';
import { replaceWithin } from '../repo/replace-whole.ts';
import { textOf } from '../repo/small-file.ts';
import { type Environment, userStateDir } from '../repo/user-dirs.ts';
import type { RoleWorktree } from './role-file.ts';

const FILE = 'approved.json';
const BYTES = 4 << 20;

export type Wanted = Pick<RoleWorktree, 'setup' | 'include'>;

/** `null` if there is nothing to approve. */
export function approvalOf(root: string, { setup, include }: Wanted): string | null {
  if (setup === null && include.length === 0) return null;
  return digestBytes(Buffer.from(JSON.stringify([root, setup, include]))).slice(0, 16);
}

const approvedBy = (env: Environment): Readonly<Record<string, unknown>> =>
  asObject(parsedObject(textOf(join(userStateDir(env), FILE), BYTES) ?? '')['approved']);

export function isApproved(env: Environment, root: string, wanted: Wanted): boolean {
  const digest = approvalOf(root, wanted);
  return digest === null || Object.hasOwn(approvedBy(env), digest);
}

/** If two processes write at the same time, one approval is lost and is asked for again. */
export function noteApproval(env: Environment, root: string, wanted: Wanted, at: string): void {
  const digest = approvalOf(root, wanted);
  if (digest === null) return;
  const approved = { ...approvedBy(env), [digest]: { root, ...wanted, at } };
  replaceWithin(userStateDir(env), FILE, `${JSON.stringify({ v: 1, approved }, null, 2)}\n`, true);
}
