/** `guard leave`: releases everything and unregisters. */
import type { Command } from 'commander';
import { plain } from '../../core/plain.ts';
import { LEAVE } from '../../operations/membership.ts';
import { operates } from '../operate.ts';
import type { Shell } from '../shell.ts';

export function define(command: Command, shell: Shell): void {
  operates(command, shell, LEAVE, {
    show({ agent_id, was_here, released_files, released_reservations }, { out }) {
      const given = [...released_files, ...released_reservations].map(plain);
      const released = given.length > 0 ? `; released ${given.join(', ')}` : '';
      out(was_here ? `${plain(agent_id)} left${released}\n` : `${plain(agent_id)} was not here\n`);
    },
  });
}
