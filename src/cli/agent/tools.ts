/** The harness tools as an MCP server. Without a role a person's session calls: all of them. */
import { hostname } from 'node:os';
import { accessOf } from '../../core/harness-tools.ts';
import type { Access } from '../../core/drafts.ts';
import type { Who } from '../../core/rules/agent.ts';
import { truly } from '../../harness/caller.ts';
import { readRole } from '../../harness/roles.ts';
import { openSite } from '../../harness/site.ts';
import type { Site } from '../../harness/site.ts';
import { guardVersion } from '../../install/guard-root.ts';
import type { ServeHarness } from '../../mcp/serve-harness.ts';
import { markProcess } from '../../repo/process.ts';
import { agentName, checkedId } from '../agent-id.ts';
import { callerOf, outsider } from '../caller.ts';
import { guardedRepo } from '../command-place.ts';
import { EXIT } from '../exit.ts';
import type { ExitCode } from '../exit.ts';
import type { Shell } from '../shell.ts';

export interface HarnessOptions {
  readonly tools?: string;
  readonly role?: string;
}

export async function serveTools(
  { role }: HarnessOptions,
  shell: Shell,
  serveHarness: ServeHarness,
): Promise<ExitCode> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
  const repo = guardedRepo(shell);
  await serveHarness(
    (agent) => {
      const site = openSite(repo, shell.env);
      const who = agent === undefined ? fromEnvironment(site, shell) : outsider(checkedId(agent, '_agent'));
      return { site, who: truly(site, who) };
    },
    accessFor(role, shell),
    guardVersion(),
    stop.signal,
  );
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

/** The session that the client names; else the process that serves. */
function fromEnvironment(site: Site, { env }: Shell): Who {
  const own = `${hostname().replace(/[^\w.-]/g, '-')}-${process.pid}`;
  const { id, from } = agentName(undefined, env, () => own);
  if (from !== 'person') return callerOf(undefined, env, site.store, site.facts());
  return { ...outsider(id), proc: markProcess(process.pid) };
}
