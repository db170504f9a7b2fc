/** `guard lock try|wait|release|status`: the lock tools as commands, with the lock tools' JSON. */
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import { act } from '../act.ts';
import { duration_ms, ttl_ms } from '../duration.ts';
import type { ExitCode } from '../exit.ts';
import { releaseCommand } from '../lock/release.ts';
import { statusCommand } from '../lock/status.ts';
import { tryCommand } from '../lock/try.ts';
import { DEFAULT_TIMEOUT_MS, waitCommand } from '../lock/wait.ts';
import type { Shell } from '../shell.ts';

export interface LockOptions {
  readonly agent?: string;
  readonly json?: boolean;
  readonly ttl?: number;
  readonly shared?: boolean;
  readonly all?: boolean;
  readonly timeout?: number;
  readonly allHeld?: boolean;
}

export type LockCommand = (
  paths: readonly string[],
  options: LockOptions,
  shell: Shell,
) => ExitCode | Promise<ExitCode>;

/** A hook adds its caller's name in front of whatever follows: a second name must not win over it. */
function oneAgent(given: string, before: string | undefined): string {
  if (before === undefined || before === given) return given;
  throw new InvalidArgumentError(`You are ${before}; one command acts for one agent.`);
}

export function define(command: Command, shell: Shell): void {
  const verb = (name: string, summary: string, run: LockCommand): Command => {
    const sub = command.command(name).description(summary).argument('[paths...]', 'files, any spelling');
    sub.option('--agent <id>', 'for whom (default: who runs this)', oneAgent).option('--json', 'print JSON');
    act<LockOptions>(sub, shell, ({ args, options }) => run(args, options, shell));
    return sub;
  };
  const lease = (sub: Command): Command =>
    sub
      .option('--ttl <duration>', 'how long the lock outlives your last activity', ttl_ms)
      .option('--shared', 'together with other shared locks, for reading')
      .option('--all', 'all of them or none');
  lease(verb('try', 'take locks that are free now', tryCommand));
  lease(verb('wait', 'take locks, waiting for those that others hold', waitCommand)).option(
    '--timeout <duration>',
    'how long to wait for each file (with --all: for all of them)',
    duration_ms,
    DEFAULT_TIMEOUT_MS,
  );
  verb('release', 'give locks back', releaseCommand).option('--all-held', 'every lock you hold');
  verb('status', 'who holds these files; without files: every lock', statusCommand);
}
