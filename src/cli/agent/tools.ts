/** The harness tools of `guard mcp`. Without a role, a person's session is calling, and gets all of them. */
import type { Access } from '../../core/drafts.ts';
import { accessBelow, accessOf, gatedTool, toolsFor } from '../../core/policy/role.ts';
import type { Who } from '../../core/rules/who.ts';
import { draftAround, resolveCaller } from '../../harness/caller.ts';
import { readRole, roleNames } from '../../harness/roles.ts';
import { type HarnessWorkspace, openHarness } from '../../harness/workspace.ts';
import type { Open } from '../../mcp/serve.ts';
import type { Tool } from '../../mcp/tool.ts';
import type { DrafterWorkspace } from '../../operations/drafted.ts';
import { callerOf } from '../caller.ts';
import { guardedRepo } from '../command-place.ts';
import { orClosed } from '../workspace.ts';
import { releaseAs } from '../release-as.ts';
import type { Shell } from '../shell.ts';
import { callerOfCall } from '../tool-caller.ts';

interface HarnessOptions {
  readonly role?: string;
  readonly agent?: string;
}

/** The tools of `all` that its role has; where a tool takes a role, its description lists the roles here. */
export function harnessTools(
  { role }: HarnessOptions,
  shell: Shell,
  all: readonly Tool<DrafterWorkspace>[],
): readonly Tool<DrafterWorkspace>[] {
  const space = openHarness(guardedRepo(shell), shell.env);
  try {
    const served: readonly string[] = toolsFor(accessFor(space, role));
    const roles = roleNames(space.root, space.harness.roles_dir);
    return all.filter(({ name }) => served.includes(name)).map((tool) => namingRoles(tool, roles));
  } finally {
    space.close();
  }
}

/** Below a drafted agent, that agent's role counts, whatever arguments someone's configuration gives the server. */
function accessFor(space: HarnessWorkspace, role: string | undefined): Access {
  const drafted = draftAround(space);
  if (role === undefined || drafted !== null) return accessBelow(drafted);
  return accessOf(readRole(space.root, space.harness.roles_dir, role).category, space.harness.full_access);
}

function namingRoles(tool: Tool<DrafterWorkspace>, roles: readonly string[]): Tool<DrafterWorkspace> {
  if (tool.name !== 'draft_agent' || roles.length === 0) return tool;
  return {
    ...tool,
    listed: { ...tool.listed, description: `${tool.description} Roles: ${roles.join(', ')}.` },
  };
}

export function harnessOpener({ agent: fixed }: HarnessOptions, shell: Shell): Open<DrafterWorkspace> {
  const repo = guardedRepo(shell);
  return ({ agent: said, tool }) => {
    const space = openHarness(repo, shell.env);
    return orClosed(space, () => {
      const ofSession = (name?: string): Who => callerOf(space, name);
      const call = { said, tool, fixed, only_looks: gatedTool(`mcp__guard__${tool}`) === null };
      const caller = callerOfCall(call, shell.env, ofSession);
      const who = resolveCaller(space, caller.who);
      const { is_guess } = caller;
      // A command, because the lock tools may be another server's.
      const release = releaseAs(repo, who.session === null ? who.id : undefined);
      return { workspace: { ...space, who }, is_guess, release };
    });
  };
}
