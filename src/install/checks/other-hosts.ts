import { checking, ok, warn } from '../check.ts';
import { otherHosts } from '../other-hosts.ts';

/** A client without guard breaks the promises for the guarded ones: its writes take no locks and leave no record. */
export const otherClients = checking('other_hosts', ({ repo }) => {
  const hosts = otherHosts(repo.root);
  if (hosts.length === 0) return ok('No other client is configured here without guard');
  const hint =
    'Their writes are noticed afterwards, by those who read the file before; docs/hosts.md says what each client can do.';
  return warn(`Configured here without guard: ${hosts.join(', ')}`, { facts: { hosts }, hint });
});
