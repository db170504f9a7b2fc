/** What `guard init` mentions in its notes: servers and clients that it does not guard. */
import { ifAllowed } from '../core/attempt.ts';
import { loadConfig } from '../config/load.ts';
import type { Repo } from '../repo/locate.ts';
import type { Environment } from '../repo/user-dirs.ts';
import { serversNotJudged } from './mcp-servers.ts';
import type { NoteFacts } from './notes.ts';
import { otherHosts } from './other-hosts.ts';
import { seenSettings } from './settings-seen.ts';

export function foundHere(
  repo: Repo,
  env: Environment,
): Pick<NoteFacts, 'servers_not_judged' | 'other_hosts'> {
  const settings = seenSettings(repo.root, env);
  const other_hosts = otherHosts(repo.root);
  const judged = () => {
    const { mcp, lock_servers } = loadConfig({ repo, env });
    return {
      other_hosts,
      servers_not_judged: serversNotJudged({ root: repo.root, env, settings, mcp, lock_servers }),
    };
  };
  // `guard doctor` reports an unreadable configuration.
  return ifAllowed<ReturnType<typeof foundHere>>(judged, { other_hosts });
}
