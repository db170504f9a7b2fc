/** `guard lock try|wait|release|status`: the lock tools as commands, with the lock tools' JSON. */
import { LOCK_STATUS, LOCK_TRY, LOCK_WAIT, UNLOCK } from '../../operations/locks.ts';
import type { CommandCall } from '../act.ts';
import type { Declaring } from '../declaring.ts';
import { showAcquired } from '../lock/acquired.ts';
import { countdown } from '../lock/countdown.ts';
import { showReleased } from '../lock/released.ts';
import { showStatus } from '../lock/status.ts';
import { type CallerOptions, operates } from '../operate.ts';
import type { Shell } from '../shell.ts';

interface Options extends CallerOptions {
  readonly ttl?: string;
  readonly shared?: boolean;
  readonly all?: boolean;
  readonly timeout?: string;
  readonly allHeld?: boolean;
}

const paths = ({ args }: CommandCall<Options>): readonly string[] => args;

const leaseOf = ({ args, options: { ttl, shared, all } }: CommandCall<Options>): Record<string, unknown> => ({
  filepaths: args,
  ttl_seconds: ttl,
  shared,
  all_or_nothing: all,
});

const FLAGS = { filepaths: 'PATH', ttl_seconds: '--ttl', timeout_seconds: '--timeout' };
const UNITS_MS = { ttl_seconds: 1_000, timeout_seconds: 1_000 };

export function define(command: Declaring, shell: Shell): void {
  const verb = (name: string, summary: string): Declaring =>
    command.command(name).description(summary).argument('[paths...]', 'files, any spelling');
  const lease = (sub: Declaring): Declaring =>
    sub
      .option('--ttl <duration>', 'how long the lock outlives your last activity')
      .option('--shared', 'together with other shared locks, for reading')
      .option('--all', 'all of them or none');
  const acquires = { paths, flags: FLAGS, units_ms: UNITS_MS, ...showAcquired };
  operates(lease(verb('try', 'take locks that are free now')), shell, LOCK_TRY, {
    given: leaseOf,
    ...acquires,
  });
  const wait = lease(verb('wait', 'take locks, waiting for those that others hold')).option(
    '--timeout <duration>',
    'how long to wait for each file (with --all: for all of them; default 30s)',
  );
  operates(wait, shell, LOCK_WAIT, {
    given: (call: CommandCall<Options>) => ({ ...leaseOf(call), timeout_seconds: call.options.timeout }),
    waits: (_, waiting) => countdown(waiting),
    ...acquires,
  });
  operates(verb('release', 'give locks back').option('--all-held', 'every lock you hold'), shell, UNLOCK, {
    given: ({ args, options: { allHeld } }: CommandCall<Options>) => ({ filepaths: args, all_held: allHeld }),
    paths,
    flags: FLAGS,
    ...showReleased,
  });
  operates(verb('status', 'who holds these files; without files: every lock'), shell, LOCK_STATUS, {
    given: ({ args }: CommandCall<Options>) => ({ filepaths: args }),
    paths,
    flags: FLAGS,
    show: showStatus,
  });
}
