import type { Who } from '../../core/rules/agent.ts';
import { resolveCaller } from '../../harness/caller.ts';
import { openSite } from '../../harness/site.ts';
import type { Site } from '../../harness/site.ts';
import { callerOf } from '../caller.ts';
import { guardedRepo } from '../command-place.ts';
import type { Shell } from '../shell.ts';

/** Opens the harness of the repository around it for one piece of work, and closes it whatever happens. */
export async function withSite<T>(shell: Shell, work: (site: Site) => T | Promise<T>): Promise<T> {
  const site = openSite(guardedRepo(shell), shell.env);
  try {
    return await work(site);
  } finally {
    site.close();
  }
}

export const drafterAt = (site: Site, shell: Shell, given: string | undefined): Who =>
  resolveCaller(site, callerOf(given, shell.env, site.store, site.facts()));
