/** What an older client cannot do, and which promise is weaker for it (docs/hooks.md has the whole table). */
import { isAtLeast } from './client.ts';
import type { Client } from './client.ts';

export interface Limit {
  /** The first version without this limit. */
  readonly until: string;
  readonly promises: readonly string[];
  readonly text: string;
}

const LIMITS: readonly Limit[] = [
  {
    until: '2.1.100',
    promises: ['P1', 'P2', 'P3', 'P4'],
    text: 'subagents cannot be told from their session, so these hold between sessions only',
  },
  {
    until: '2.1.200',
    promises: ['P2', 'P7'],
    text: 'commands do not know their session (give --agent), and the death of a client is noticed only by the TTL of its leases',
  },
  {
    until: '2.1.200',
    promises: ['P8'],
    text: 'removing the hooks in mid-session is not vetoed, and refused calls end their write intents late',
  },
  {
    until: '2.1.300',
    promises: ['P6'],
    text: 'a hook that the client itself times out (60 s) lets the write through',
  },
];

export const limitsOf = (client: Client): readonly Limit[] =>
  LIMITS.filter(({ until }) => !isAtLeast(client, until));
