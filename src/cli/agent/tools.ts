import type { Access } from '../../core/drafts.ts';
import { HARNESS_SERVER } from '../../core/harness-tools.ts';
import { accessOf, gatedTool, toolsFor } from '../../core/policy/role.ts';
import type { Who } from '../../core/rules/agent.ts';
import { resolveCaller } from '../../harness/caller.ts';
import { readRole } from '../../harness/roles.ts';
import { openHarness } from '../../harness/workspace.ts';
import type { Open, Served } from '../../mcp/serve.ts';
import type { DrafterWorkspace } from '../../operations/drafted.ts';
import { callerOf } from '../caller.ts';
import { guardedRepo } from '../command-place.ts';
import { orClosed } from '../workspace.ts';
import { releaseAs } from '../release-as.ts';
import type { Shell } from '../shell.ts';
import { callerOfCall } from '../tool-caller.ts';

/** Of the chunk that has the tools. */
/** The harness tools as a server of their own. Without a role a person's session calls: all of them. */
export function harnessServer(
  { role, agent: fixed }: { readonly role?: string; readonly agent?: string },
  shell: Shell,
  { version, instructions, tools: all }: Omit<Served<DrafterWorkspace>, 'name' | 'open'>,
): Served<DrafterWorkspace> {
  const repo = guardedRepo(shell);
  const served = toolsFor(accessFor(role, shell));
  const tools = all.filter(({ name }) => (served as readonly string[]).includes(name));
  const open: Open<DrafterWorkspace> = ({ agent: said, tool }) => {
    const space = openHarness(repo, shell.env);
    return orClosed(space, () => {
      const ofSession = (name?: string): Who => callerOf(space, name);
      const call = { said, tool, fixed, only_looks: gatedTool(`mcp__guard__${tool}`) === null };
      const caller = callerOfCall(call, shell.env, ofSession);
      const who = resolveCaller(space, caller.who);
      const { is_guess } = caller;
      // A command: the lock tools are another server's.
      const release = releaseAs(repo, who.session === null ? who.id : undefined);
      return { workspace: { ...space, who }, is_guess, release };
    });
  };
  return { name: HARNESS_SERVER, version, instructions, tools, open };
}

function accessFor(role: string | undefined, shell: Shell): Access {
  if (role === undefined) return 'full';
  const space = openHarness(guardedRepo(shell), shell.env);
  try {
    return accessOf(readRole(space.root, space.harness.roles_dir, role).category, space.harness.full_access);
  } finally {
    space.close();
  }
}
