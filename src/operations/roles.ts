/** The available roles, and what a person has approved for a role's worktree. */
import { GuardError } from '../core/error.ts';
import { rfc3339 } from '../core/rfc3339.ts';
import { approvalOf, isApproved, noteApproval } from '../harness/approval.ts';
import type { RoleFields } from '../harness/role-file.ts';
import { listRoles, readRole, type RoleRow } from '../harness/roles.ts';
import type { HarnessWorkspace } from '../harness/workspace.ts';
import { slug } from './drafted.ts';
import { optional, text } from './field.ts';
import { operation } from './operation.ts';

export interface ListedRole extends Pick<RoleRow, 'name' | 'access' | 'problem'> {
  readonly category?: string;
  readonly model?: string | null;
  readonly tools?: readonly string[];
  readonly worktree?: RoleFields['worktree'];
  /** False: extras that its worktree requests are left out until a person approves them. */
  readonly approved?: boolean;
}

export const LIST_ROLES = operation('list_roles', {}, (_, space: HarnessWorkspace) => ({
  roles_dir: space.harness.roles_dir,
  roles: listRoles(space.root, space.harness.roles_dir, space.harness.full_access).map((row) =>
    shownRole(row, space),
  ),
}));

function shownRole({ role, ...row }: RoleRow, { env, root }: HarnessWorkspace): ListedRole {
  if (role === null) return row;
  const { category, model, tools, worktree } = role;
  const approved = worktree === null || isApproved(env, root, worktree);
  return { ...row, category, model, tools, worktree, approved };
}

export interface Approval {
  readonly role: string;
  readonly setup: string | null;
  readonly include: readonly string[];
  /** The digest of exactly this text, in this repository. `null` if there is nothing to approve. */
  readonly digest: string | null;
  readonly approved: boolean;
}

/** Without a digest, shows what there is to approve; with that digest, approves it. */
export const APPROVE_ROLE = operation(
  'approve_role',
  { role: slug('A role of this repository'), digest: optional(text('As shown before', { max_chars: 64 })) },
  ({ role: name, digest: given }, space: HarnessWorkspace): Approval => {
    const { env, root, harness } = space;
    const { setup, include } = readRole(root, harness.roles_dir, name).worktree ?? {
      setup: null,
      include: [],
    };
    const wanted = { setup, include };
    const digest = approvalOf(root, wanted);
    if (given !== undefined && given !== digest) throw another(name, digest);
    if (given !== undefined) noteApproval(env, root, wanted, rfc3339(space.facts().now.wall_ms));
    return { role: name, ...wanted, digest, approved: isApproved(env, root, wanted) };
  },
);

const another = (role: string, digest: string | null): GuardError =>
  new GuardError(
    'GUARD_ERR_USAGE',
    `This is not the digest of what ${role} has now.`,
    `Look at it again: guard role approve ${role}`,
    { field: 'digest', role, digest },
  );
