/** `guard hook`: only its help page. The hook itself is a separate file, which bin/guard.cjs starts. */
import type { Command } from 'commander';
import { GuardError } from '../../core/error.ts';
import { act } from '../act.ts';
import type { Shell } from '../shell.ts';

export function define(command: Command, shell: Shell): void {
  act(command, shell, () => {
    throw new GuardError(
      'GUARD_ERR_USAGE',
      '"hook" must be the first word after "guard".',
      'guard hook < EVENT.json',
      { command: 'guard hook' },
    );
  });
}
