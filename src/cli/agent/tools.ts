/** The harness tools as an MCP server. Without a role a person's session calls: all of them. */
import { accessOf, gatedTool } from '../../core/policy/role.ts';
import type { Access } from '../../core/drafts.ts';
import { truly } from '../../harness/caller.ts';
import { readRole } from '../../harness/roles.ts';
import { openSite } from '../../harness/site.ts';
import { guardVersion } from '../../install/guard-root.ts';
import type { OpenSite, ServeHarness } from '../../mcp/serve-harness.ts';
import { callerOf } from '../caller.ts';
import { guardedRepo } from '../command-place.ts';
import { EXIT } from '../exit.ts';
import type { ExitCode } from '../exit.ts';
import type { Shell } from '../shell.ts';
import { callerOfCall } from '../tool-caller.ts';
import { SERVER_SIGNALS, untilStopped } from '../until-stopped.ts';

export interface HarnessOptions {
  readonly tools?: string;
  readonly role?: string;
  readonly agent?: string;
}

export async function serveTools(
  { role, agent: fixed }: HarnessOptions,
  shell: Shell,
  serveHarness: ServeHarness,
): Promise<ExitCode> {
  const repo = guardedRepo(shell);
  const open: OpenSite = (said, tool) => {
    const site = openSite(repo, shell.env);
    try {
      const ofSession = (name?: string) => callerOf(name, shell.env, site.store, site.facts());
      const call = { said, tool, fixed, only_looks: gatedTool(`mcp__guard__${tool}`) === null };
      return { site, who: truly(site, callerOfCall(call, shell.env, ofSession).who) };
    } catch (error) {
      site.close();
      throw error;
    }
  };
  const access = accessFor(role, shell);
  await untilStopped((signal) => serveHarness(open, access, guardVersion(), signal), SERVER_SIGNALS);
  return EXIT.yes;
}

function accessFor(role: string | undefined, shell: Shell): Access {
  if (role === undefined) return 'full';
  const site = openSite(guardedRepo(shell), shell.env);
  try {
    return accessOf(readRole(site.root, site.config.roles_dir, role).category, site.config.full_access);
  } finally {
    site.close();
  }
}
