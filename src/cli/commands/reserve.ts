/** `guard reserve GLOB… --reason TEXT`: reserve_files as a command. */
import { plain } from '../../core/plain.ts';
import { RESERVE_FILES, type ReserveAnswer } from '../../operations/reservations.ts';
import type { Declaring } from '../declaring.ts';
import { operates } from '../operate.ts';
import type { Shell } from '../shell.ts';
import { namesHere } from '../view/names-here.ts';
import { timeLeft } from '../view/time-left.ts';

/** The operands. */
export const GLOB_OPERANDS = {
  given: ({ args }: { readonly args: readonly string[] }) => ({ patterns: args }),
  flags: { patterns: 'GLOB' },
};

export const withGlobs = (command: Declaring): Declaring =>
  command.argument('<globs...>', 'patterns, relative to the root of the checkout');

export function define(command: Declaring, shell: Shell): void {
  operates(withGlobs(command), shell, RESERVE_FILES, {
    ...GLOB_OPERANDS,
    options: {
      reason: ['--reason <text>', 'why; shown to other agents'],
      ttl_minutes: [
        '--ttl <duration>',
        'how long (default 15m, at most 24h); reserving the same pattern again extends it',
        { unit_ms: 60_000 },
      ],
      exclusive: [
        '--shared',
        'share it with other shared reservations',
        { read: (shared) => shared !== true },
      ],
      all_or_nothing: ['--all', 'reserve all of them or none'],
    },
    show({ reservations, errors, conflicts }, { out, color }, _, { store }) {
      for (const one of reservations)
        out(
          `${color.green('reserved')} ${plain(one.path_pattern)}  ${one.id}  for ${timeLeft(one.expires_at)}\n`,
        );
      const nameOf = namesHere(store);
      for (const error of errors)
        out(`${color.red('not reserved')} ${plain(forPeople(error, conflicts, nameOf))}\n`);
    },
    isYes: ({ errors }) => errors.length === 0,
  });
}

/** The sentence of the JSON answer, with the holder's name and the time that is left instead of its id and a time. */
const forPeople = (
  error: string,
  conflicts: ReserveAnswer['conflicts'],
  nameOf: (id: string) => string,
): string =>
  conflicts.reduce(
    (said, { agent_id, expires_at }) =>
      said.replace(
        ` ${agent_id} until ${expires_at}`,
        () => ` ${nameOf(agent_id)}, ${timeLeft(expires_at)} left`,
      ),
    error,
  );
