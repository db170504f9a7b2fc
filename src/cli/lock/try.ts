import type { AcquireResult } from '../../core/rules/acquire.ts';
import type { Who } from '../../core/rules/agent.ts';
import type { LockOptions } from '../commands/lock.ts';
import { EXIT } from '../exit.ts';
import type { ExitCode } from '../exit.ts';
import { withLedger } from '../ledger.ts';
import type { Ledger } from '../ledger.ts';
import type { Shell } from '../shell.ts';
import { locateAll } from './located.ts';
import type { LocatedPath } from './located.ts';
import { report } from './report.ts';

/** One attempt; what is free is kept even where something else is not (`--all`: everything or nothing). */
export function tryLocks(paths: readonly string[], options: LockOptions, shell: Shell): Promise<ExitCode> {
  return withLedger(
    shell,
    (ledger) => {
      const located = locateAll(ledger, paths);
      const results = acquire(ledger, ledger.who(options.agent), located, options, null);
      return report(located, results, options, shell) ? EXIT.yes : EXIT.no;
    },
    paths,
  );
}

export function acquire(
  ledger: Ledger,
  who: Who,
  located: readonly LocatedPath[],
  options: Pick<LockOptions, 'shared' | 'ttl' | 'all'>,
  wait_until_mono_ms: number | null,
): readonly AcquireResult[] {
  const paths = located.flatMap(({ path }) => (path === null ? [] : [path]));
  // All or none: a path that can have no lock leaves none.
  if (paths.length === 0 || (options.all === true && paths.length < located.length)) return [];
  return ledger.run({
    type: 'lock.acquire',
    who,
    paths,
    mode: options.shared === true ? 'shared' : 'exclusive',
    ttl_ms: options.ttl ?? null,
    all: options.all === true,
    wait_until_mono_ms,
  });
}
