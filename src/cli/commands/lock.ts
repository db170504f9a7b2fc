/** `guard lock try|wait|release|status`: the lock tools as commands, with the lock tools' JSON. */
import { LOCK_STATUS, LOCK_TRY, LOCK_WAIT, UNLOCK } from '../../operations/locks.ts';
import { showAcquired } from '../lock/acquired.ts';
import { countdown } from '../lock/countdown.ts';
import { showReleased } from '../lock/released.ts';
import { showStatus } from '../lock/status.ts';
import type { Declaring } from '../declaring.ts';
import { operates } from '../operate.ts';
import type { OptionFields } from '../option-fields.ts';
import type { Shell } from '../shell.ts';

/** The operands. None at all is a slip, whereas a program may mean an empty list. */
const PATHS = {
  given: ({ args }: { readonly args: readonly string[] }) => ({
    filepaths: args.length > 0 ? args : undefined,
  }),
  flags: { filepaths: 'PATH' },
  takes_paths: true,
} as const;

const LEASE: OptionFields = {
  ttl_seconds: ['--ttl <duration>', 'how long the lock outlives your last activity', { unit_ms: 1_000 }],
  shared: ['--shared', 'take a shared lock, for reading'],
  all_or_nothing: ['--all', 'take all of them or none'],
};
const SOME = '[paths...]';
const TIMEOUT = 'how long to wait for each file (with --all: for all of them; default 30s)';

export function define(command: Declaring, shell: Shell): void {
  const verb = (name: string, summary: string, paths = '<paths...>'): Declaring =>
    command.command(name).description(summary).argument(paths, 'files, in any spelling');
  operates(verb('try', 'take locks that are free now'), shell, LOCK_TRY, {
    ...PATHS,
    options: LEASE,
    ...showAcquired,
  });
  operates(verb('wait', 'take locks, waiting for those that others hold'), shell, LOCK_WAIT, {
    ...PATHS,
    options: { ...LEASE, timeout_seconds: ['--timeout <duration>', TIMEOUT, { unit_ms: 1_000 }] },
    waits: (waiting, space) => countdown(waiting, space),
    ...showAcquired,
  });
  operates(verb('release', 'give locks back', SOME), shell, UNLOCK, {
    ...PATHS,
    options: { all_held: ['--all-held', 'release every lock you hold'] },
    ...showReleased,
  });
  operates(
    verb('status', 'show who holds these files; without files, every lock', SOME),
    shell,
    LOCK_STATUS,
    {
      ...PATHS,
      given: ({ args }) => ({ filepaths: args }),
      show: showStatus,
    },
  );
}
