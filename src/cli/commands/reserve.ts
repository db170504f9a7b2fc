/** `guard reserve GLOB… --reason TEXT`: reserve_files as a command. */
import { plain } from '../../core/plain.ts';
import { RESERVE_FILES } from '../../operations/reservations.ts';
import type { CommandCall } from '../act.ts';
import type { Declaring } from '../declaring.ts';
import { type CallerOptions, operates } from '../operate.ts';
import type { Shell } from '../shell.ts';

interface Options extends CallerOptions {
  readonly reason: string;
  readonly ttl?: string;
  readonly shared?: boolean;
  readonly all?: boolean;
}

export function define(command: Declaring, shell: Shell): void {
  command
    .argument('<globs...>', 'patterns, relative to the root of the checkout')
    .requiredOption('--reason <text>', 'what for; others are shown it')
    .option('--ttl <duration>', 'how long (default 15m, at most 24h); the same pattern again extends it')
    .option('--shared', 'together with other shared ones')
    .option('--all', 'all of them or none');
  operates(command, shell, RESERVE_FILES, {
    given: ({ args, options: { reason, ttl, shared, all } }: CommandCall<Options>) => ({
      patterns: args,
      reason,
      ttl_minutes: ttl,
      exclusive: shared !== true,
      all_or_nothing: all,
    }),
    flags: { patterns: 'GLOB', reason: '--reason', ttl_minutes: '--ttl' },
    units_ms: { ttl_minutes: 60_000 },
    show({ reservations, errors }, { out, color }) {
      for (const one of reservations)
        out(`${color.green('reserved')} ${plain(one.path_pattern)}  ${one.id}  until ${one.expires_at}\n`);
      for (const error of errors) out(`${color.red('not reserved')} ${plain(error)}\n`);
    },
    isYes: ({ errors }) => errors.length === 0,
  });
}
