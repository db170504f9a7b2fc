import { ok, warn } from '../check.ts';
import type { Check } from '../check.ts';
import { otherHosts } from '../other-hosts.ts';

/** An unguarded neighbour breaks the promises for the guarded ones: its writes take no locks and leave no record. */
export const otherClients: Check = {
  id: 'other_hosts',
  run: ({ repo }) => {
    const hosts = otherHosts(repo.root);
    if (hosts.length === 0) return [ok('other_hosts', 'No other client is configured here without guard')];
    const hint =
      'Their writes are noticed afterwards, by those who read the file before; docs/hosts.md says what each client can do.';
    return [
      warn('other_hosts', `Configured here without guard: ${hosts.join(', ')}`, { facts: { hosts }, hint }),
    ];
  },
};
