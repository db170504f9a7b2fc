/** Everything that can be checked before an agent exists: a faulty request is refused without an id. */
import { join } from 'node:path';
import { type Access, type DraftState, isOver, sessionAgent } from '../core/drafts.ts';
import { GuardError } from '../core/error.ts';
import { accessOf } from '../core/policy/role.ts';
import type { Who } from '../core/rules/who.ts';
import { findClient } from '../install/client.ts';
import { guardCommand } from '../install/guard-command.ts';
import { guardRoot } from '../install/guard-root.ts';
import { permissionRules } from '../install/permission-rules.ts';
import type { Job, WantedWorktree } from './agent-files.ts';
import { agentHooks } from './agent-hooks.ts';
import { isApproved, type Wanted } from './approval.ts';
import { budgetArgs, clientArgs } from './client-call.ts';
import { clientProgram, requireFit } from './client-fit.ts';
import type { RoleWorktree } from './role-file.ts';
import { readRole, type Role } from './roles.ts';
import { allDrafts, draftOf, type HarnessWorkspace } from './workspace.ts';
import { commitOf } from './worktree.ts';

/** The agent to be started. */
export interface Wished {
  readonly id: string;
  readonly session: string;
  readonly role: string;
  readonly name?: string | undefined;
  readonly worktree?: boolean | undefined;
}

type Call = Pick<Job, 'role' | 'root' | 'cwd' | 'program' | 'args' | 'env' | 'worktree'>;

export interface Prepared {
  readonly role: Role;
  readonly access: Access;
  /** How to start its client. */
  readonly call: Call;
}

/** @throws GuardError GUARD_ERR_USAGE for an unknown role, a name in use, a base that is not a commit; GUARD_ERR_AGENT */
export function prepare(space: HarnessWorkspace, drafter: Who, wished: Wished): Prepared {
  const { root, env, harness } = space;
  const role = readRole(root, harness.roles_dir, wished.role);
  checkAsFound(space, drafter, role);
  checkName(space, wished.name);
  const access = accessOf(role.category, harness.full_access);
  const program = clientProgram(env);
  const client = findClient(env);
  const worktree =
    wished.worktree === true || role.worktree !== null ? worktreeFor(space, role, wished.session) : null;
  const base = worktree === null ? null : (worktree.base ?? 'HEAD');
  const args = clientArgs({
    ...{ id: wished.id, session: wished.session, role, access },
    hooks: agentHooks(space, { base, client }),
    permissions: permissionRules(guardCommand(space.repo)),
    guard: [process.execPath, join(guardRoot(), 'bin', 'guard.cjs')],
  });
  const { cost_usd, tree_cost_usd } = role.limits;
  // The amount is known only when it begins.
  requireFit(space, program, client, [...args, ...budgetArgs(cost_usd ?? tree_cost_usd)]);
  return { role, access, call: { role: role.name, root, cwd: root, program, args, env: {}, worktree } };
}

/** A tree of agents keeps the roles it began with: one of its agents may have changed a role file since. */
function checkAsFound(space: HarnessWorkspace, drafter: Who, { name, changed_wall_ms }: Role): void {
  const parent = draftOf(space, sessionAgent(drafter.id));
  const root = parent === null ? null : draftOf(space, parent.root);
  if (root === null || changed_wall_ms <= root.started_wall_ms) return;
  throw new GuardError(
    'GUARD_ERR_AGENT',
    `The role ${name} was changed after ${root.id} began, and so after you did.`,
    'Continue without it, and say so in your final answer; a person can draft with it.',
    { why: 'role', role: name, root: root.id },
  );
}

function checkName(space: HarnessWorkspace, name: string | undefined): void {
  const isTaken = (draft: DraftState): boolean => draft.name === name && !isOver(draft);
  const taken = name === undefined ? undefined : allDrafts(space).find(isTaken);
  if (taken === undefined) return;
  throw new GuardError(
    'GUARD_ERR_USAGE',
    `An agent named ${String(name)} is at work: ${taken.id}.`,
    'Choose another name.',
    { field: 'name', agent: taken.id },
  );
}

const NOTHING: RoleWorktree = { setup: null, include: [], base: null };

function worktreeFor({ root, env }: HarnessWorkspace, role: Role, session: string): WantedWorktree {
  const { setup, include, base } = role.worktree ?? NOTHING;
  const commit = base === null ? null : commitOf(root, base);
  if (base !== null && commit === null)
    throw new GuardError(
      'GUARD_ERR_USAGE',
      `The role ${role.name} starts from ${base}, which is not a commit here.`,
      'Correct "worktree.base" of the role.',
      { field: 'role', role: role.name, base },
    );
  const short = session.slice(0, 8);
  const place = {
    dir: join(root, '.claude', 'worktrees', `guard-${short}`),
    branch: `guard/${role.name}-${short}`,
    base: commit,
  };
  if (isApproved(env, root, { setup, include })) return { ...place, setup, include, notes: [] };
  return { ...place, setup: null, include: [], notes: leftOut(role.name, { setup, include }) };
}

const leftOut = (role: string, { setup, include }: Wanted): string[] => [
  ...(setup === null ? [] : [`Its worktree's setup (${setup}) was not run: ${notApproved(role)}`]),
  ...(include.length === 0
    ? []
    : [`${include.join(', ')}: not copied into its worktree: ${notApproved(role)}`]),
];

const notApproved = (role: string): string => `it is not approved (run: guard role approve ${role}).`;
