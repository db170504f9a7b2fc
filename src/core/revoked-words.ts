/** The texts that notify an agent of leases that were taken from it. */
import { grouped } from './grouped.ts';
import { plain } from './plain.ts';
import { duration } from './time.ts';
import type { Revoked } from './types.ts';

const SHOWN = 10;

/** One sentence for all leases that went to the same agent for the same reason. */
export const revokedLines = (revoked: readonly Revoked[]): string[] =>
  [...grouped(revoked, ({ cause, to }) => `${cause} ${to}`).values()].map(sentence);

function sentence(group: readonly [Revoked, ...(readonly Revoked[])]): string {
  const [{ to, cause, silent_ms = 0 }] = group;
  const shown = group.slice(0, SHOWN).map(({ path }) => JSON.stringify(plain(path)));
  const more = group.length > SHOWN ? ` and ${group.length - SHOWN} more` : '';
  const locks = `Your lock${group.length === 1 ? '' : 's'} on ${shown.join(', ')}${more}`;
  if (cause === 'subagent') return `${locks} went to your subagent ${plain(to)}.`;
  if (cause === 'scope')
    return `${locks} ended: the configuration (lease_scope) changed in which worktrees leases count.`;
  if (cause === 'away') {
    const now = to === '' ? '' : `, and ${plain(to)} has had ${group.length === 1 ? 'it' : 'them'} since`;
    return `${locks} ended before your last write was recorded${now}: what you wrote may overwrite their work.`;
  }
  if (cause === 'deadlock') return `${locks} went to ${plain(to)}, to end a deadlock.`;
  if (cause === 'person')
    return `${locks} ${group.length === 1 ? 'was' : 'were'} taken back by ${plain(to)}, a person.`;
  return `${locks} went to ${plain(to)} after ${duration(silent_ms)} of silence.`;
}
