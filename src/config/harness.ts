/**
 * The configuration for drafted agents that is in force. A repository's content is not trusted: it may remove
 * categories and lower the bounds, but not the reverse, unless the user's own configuration says `"allow_weaker":
 * true`.
 */
import { join } from 'node:path';
import { userConfigFile } from '../repo/user-dirs.ts';
import { readConfigFile } from './file.ts';
import { HARNESS_DEFAULTS, type HarnessConfig, type HarnessLayer } from './harness-keys.ts';
import { type ConfigInput, isPersonal, REPO_CONFIG } from './load.ts';

export type { HarnessConfig } from './harness-keys.ts';

export function loadHarness({ repo, env }: Omit<ConfigInput, 'flags'>): HarnessConfig {
  const file = userConfigFile(env);
  const user = readConfigFile(file, 'user');
  const own = user !== null && isPersonal(file, repo) ? user : null;
  const theirs = repo.initialised ? readConfigFile(join(repo.root, REPO_CONFIG), 'repository') : null;
  const mine = over(HARNESS_DEFAULTS, own?.harness ?? {}, true);
  return over(mine, theirs?.harness ?? {}, own?.allow_weaker === true);
}

function over(below: HarnessConfig, layer: HarnessLayer, may_weaken: boolean): HarnessConfig {
  const { depth, running, full_access, ...free } = layer;
  const wanted = full_access ?? below.full_access;
  const bound = (now: number, given: number | undefined): number =>
    may_weaken ? (given ?? now) : Math.min(now, given ?? now);
  return {
    ...below,
    ...free,
    full_access: may_weaken ? wanted : wanted.filter((category) => below.full_access.includes(category)),
    bounds: { depth: bound(below.bounds.depth, depth), running: bound(below.bounds.running, running) },
  };
}
