/** What `guard serve` serves: this repository's ledger, for as long as the server lives. */
import type { ServedProject } from '../http/app.ts';
import { ATTEMPT_MS } from '../http/wait-in-line.ts';
import { openWaiters } from '../locks/waiters.ts';
import { openClock } from '../repo/clock.ts';
import { openDeaths } from '../repo/process.ts';
import { checkedId } from './agent-id.ts';
import { outsider } from './caller.ts';
import { openLedger } from './ledger.ts';
import type { CliLedger } from './ledger.ts';
import type { Shell } from './shell.ts';

type About = Pick<ServedProject, 'project' | 'version' | 'document' | 'sessionsToo'>;

/** After this long the configuration is read again, and the repository looked for. */
const RENEW_MS = 1_000;

export function siteOf(shell: Shell, about: About): ServedProject {
  const now = openClock();
  const [isDead, waiters] = [openDeaths(), openWaiters()];
  const mono_ms = (): number => now().mono_ms;
  return {
    ...about,
    ledger: renewed(mono_ms, () =>
      openLedger(shell, [], { now, isDead, waiters, lock_deadline_ms: ATTEMPT_MS }),
    ),
    who: (id) => outsider(checkedId(id, 'X-Agent-ID')),
    nobody: outsider('?'),
    mono_ms,
    complain: (error) =>
      shell.err(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`),
  };
}

/** A ledger has no file open between two operations, so an old one needs no closing: a wait may still be at it. */
function renewed(mono_ms: () => number, open: () => CliLedger): () => CliLedger {
  const kept: { ledger: CliLedger | null; since_ms: number } = { ledger: null, since_ms: 0 };
  return () => {
    if (kept.ledger === null || mono_ms() - kept.since_ms >= RENEW_MS) {
      kept.ledger = null;
      kept.ledger = open();
      kept.since_ms = mono_ms();
    }
    return kept.ledger;
  };
}
