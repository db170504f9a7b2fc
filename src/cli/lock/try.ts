import { releaseCommand } from '../../core/deadlock-words.ts';
import { tryLocks } from '../../locks/try.ts';
import type { AcquireOptions, Caller } from '../../locks/try.ts';
import { spelledAt } from '../../repo/spelled.ts';
import { mustName } from '../agent-id.ts';
import type { LockOptions } from '../commands/lock.ts';
import type { ExitCode } from '../exit.ts';
import { withLedger } from '../ledger.ts';
import type { Ledger } from '../ledger.ts';
import type { Shell } from '../shell.ts';
import { report } from './report.ts';

export function tryCommand(paths: readonly string[], options: LockOptions, shell: Shell): Promise<ExitCode> {
  return withLedger(
    shell,
    (ledger) => {
      const told = tryLocks(ledger, callerAt(ledger, options.agent, shell), paths, acquireOptions(options));
      return report(told, options.json === true, shell);
    },
    paths,
  );
}

export const acquireOptions = (options: LockOptions): AcquireOptions => ({
  mode: options.shared === true ? 'shared' : 'exclusive',
  ttl_ms: options.ttl ?? null,
  all: options.all === true,
});

export function callerAt(ledger: Ledger, agent: string | undefined, { env }: Pick<Shell, 'env'>): Caller {
  const as = mustName(agent, env);
  const release: Caller['release'] = (given) =>
    releaseCommand(given, ledger.facts().guard_command, spelledAt(ledger.repo), as);
  return { who: ledger.who(agent), release };
}
