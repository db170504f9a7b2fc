import { releaseLine } from '../../core/deadlock-words.ts';
import type { Access } from '../../core/drafts.ts';
import { HARNESS_SERVER } from '../../core/harness-tools.ts';
import { accessOf, gatedTool, toolsFor } from '../../core/policy/role.ts';
import type { Who } from '../../core/rules/agent.ts';
import { resolveCaller } from '../../harness/caller.ts';
import { readRole } from '../../harness/roles.ts';
import { openSite } from '../../harness/site.ts';
import type { Site } from '../../harness/site.ts';
import { guardCommand } from '../../install/guard-command.ts';
import type { SayRelease } from '../../locks/rows.ts';
import type { Open, Served } from '../../mcp/serve.ts';
import type { Tool } from '../../mcp/tool.ts';
import type { DraftDesk } from '../../operations/drafted.ts';
import { spelledAt } from '../../repo/spelled.ts';
import { callerOf } from '../caller.ts';
import { guardedRepo } from '../command-place.ts';
import { orClosed } from '../ledger.ts';
import type { Shell } from '../shell.ts';
import { callerOfCall } from '../tool-caller.ts';

/** Of the chunk that has the tools. */
interface Shown {
  readonly version: string;
  readonly instructions: string;
  readonly tools: readonly Tool<DraftDesk>[];
}

/** The harness tools as a server of their own. Without a role a person's session calls: all of them. */
export function harnessServer(
  { role, agent: fixed }: { readonly role?: string; readonly agent?: string },
  shell: Shell,
  { version, instructions, tools: all }: Shown,
): Served<DraftDesk> {
  const repo = guardedRepo(shell);
  const served = toolsFor(accessFor(role, shell));
  const tools = all.filter(({ name }) => (served as readonly string[]).includes(name));
  const open: Open<DraftDesk> = ({ agent: said, tool }) => {
    const site = openSite(repo, shell.env);
    return orClosed(site, () => {
      const ofSession = (name?: string): Who => callerOf(name, shell.env, site.store, site.facts());
      const call = { said, tool, fixed, only_looks: gatedTool(`mcp__guard__${tool}`) === null };
      const caller = callerOfCall(call, shell.env, ofSession);
      const who = resolveCaller(site, caller.who);
      const { is_guess } = caller;
      return { at: { site, who }, who, is_guess, release: releaseAt(site, who), close: () => site.close() };
    });
  };
  return { name: HARNESS_SERVER, version, instructions, tools, open };
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

/** A command: the lock tools are another server's. Whoever is of no session must name itself. */
const releaseAt =
  (site: Site, { id, session }: Who): SayRelease =>
  (given) =>
    releaseLine(given, guardCommand(site.repo), spelledAt(site.repo), session === null ? id : undefined);
