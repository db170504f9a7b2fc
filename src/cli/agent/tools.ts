/** The harness tools as an MCP server. Without a role a person's session calls: all of them. */
import { accessOf } from '../../core/harness-tools.ts';
import type { Access } from '../../core/drafts.ts';
import { truly } from '../../harness/caller.ts';
import { readRole } from '../../harness/roles.ts';
import { openSite } from '../../harness/site.ts';
import { guardVersion } from '../../install/guard-root.ts';
import type { ServeHarness } from '../../mcp/serve-harness.ts';
import { checkedId } from '../agent-id.ts';
import { callerOf, outsider, servingAs } from '../caller.ts';
import { guardedRepo } from '../command-place.ts';
import { EXIT } from '../exit.ts';
import type { ExitCode } from '../exit.ts';
import type { Shell } from '../shell.ts';
import { SERVER_SIGNALS, untilStopped } from '../until-stopped.ts';

export interface HarnessOptions {
  readonly tools?: string;
  readonly role?: string;
}

export async function serveTools(
  { role }: HarnessOptions,
  shell: Shell,
  serveHarness: ServeHarness,
): Promise<ExitCode> {
  const repo = guardedRepo(shell);
  const open = (agent: string | undefined) => {
    const site = openSite(repo, shell.env);
    const ofSession = () => callerOf(undefined, shell.env, site.store, site.facts());
    const who = agent === undefined ? servingAs(shell.env, ofSession) : outsider(checkedId(agent, '_agent'));
    return { site, who: truly(site, who) };
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
