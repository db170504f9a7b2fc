/** `guard conflicts GLOB…`: whether patterns could be reserved now. */
import { checkoutWords } from '../../core/checkout-words.ts';
import { plain } from '../../core/plain.ts';
import { CHECK_CONFLICTS } from '../../operations/conflicts.ts';
import type { Declaring } from '../declaring.ts';
import { operates } from '../operate.ts';
import type { Shell } from '../shell.ts';
import { namesHere } from '../view/names-here.ts';
import { timeLeft } from '../view/time-left.ts';
import { GLOB_OPERANDS, withGlobs } from './reserve.ts';

export function define(command: Declaring, shell: Shell): void {
  operates(withGlobs(command), shell, CHECK_CONFLICTS, {
    ...GLOB_OPERANDS,
    options: {
      exclusive: ['--shared', 'check for a shared reservation', { read: (shared) => shared !== true }],
    },
    show({ clear, conflicts, errors = [], elsewhere = [] }, { out, color }, _, { store }) {
      const nameOf = namesHere(store);
      for (const one of clear) out(`${color.green('free')}  ${plain(one)}\n`);
      for (const one of conflicts)
        out(
          `${color.red('taken')} ${plain(one.requested)}: ${plain(one.pattern)} by ${nameOf(one.held_by)}, ${timeLeft(one.expires_at)} left (${plain(one.reason)})\n`,
        );
      for (const one of elsewhere) {
        const branch = one.branch === null ? '' : `, branch ${plain(one.branch)}`;
        const where = checkoutWords(one.checkout).replace(/^the /, '');
        out(
          `${color.yellow('beside')} ${plain(one.requested)}: ${nameOf(one.held_by)} in ${where}${branch} (${plain(one.reason)})\n`,
        );
      }
      for (const error of errors) out(`${plain(error)}\n`);
    },
    isYes: ({ conflicts, errors = [] }) => conflicts.length + errors.length === 0,
  });
}
