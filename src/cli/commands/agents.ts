/** `guard agents`: who is here; with `--name`, `--can` and `--status`, what you say of yourself. */
import { plain } from '../../core/plain.ts';
import { TELL_AND_LIST } from '../../operations/membership.ts';
import type { CommandCall } from '../act.ts';
import type { Declaring } from '../declaring.ts';
import { operates } from '../operate.ts';
import type { Shell } from '../shell.ts';
import { columns } from '../view/columns.ts';
import { SELF_FLAGS, selfOf, type SelfOptions } from './join.ts';

interface Options extends SelfOptions {
  readonly capability?: string;
  readonly project?: string;
}

export function define(command: Declaring, shell: Shell): void {
  command
    .option('--capability <names>', 'only those that can any of these, separated by commas')
    .option('--project <name>', 'only of this project; another repository has none here')
    .option('--name <name>', 'be called so')
    .option('--can <names>', 'say what you can do, separated by commas')
    .option('--status <text>', 'say what you are doing');
  operates(command, shell, TELL_AND_LIST, {
    given: ({ options }: CommandCall<Options>) => ({
      ...selfOf(options),
      capability: options.capability,
      project: options.project,
    }),
    flags: SELF_FLAGS,
    show({ agents }, { out }) {
      const rows = agents.map(({ name, agent_id, status, capabilities, last_seen }) =>
        [name, agent_id, status, capabilities.join(','), `seen ${last_seen}`].map(plain),
      );
      out(rows.length === 0 ? 'No agent is here.\n' : `${columns(rows).join('\n')}\n`);
    },
  });
}
