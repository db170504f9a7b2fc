/** `guard agents`: who is here; `--name`, `--can` and `--status` describe the caller. */
import { plain } from '../../core/plain.ts';
import { age } from '../../core/time.ts';
import { TELL_AND_LIST } from '../../operations/membership.ts';
import { readNow } from '../../repo/clock.ts';
import type { Declaring } from '../declaring.ts';
import { operates } from '../operate.ts';
import type { Shell } from '../shell.ts';
import { table } from '../view/columns.ts';
import { selfOptions } from './join.ts';

export function define(command: Declaring, shell: Shell): void {
  operates(command, shell, TELL_AND_LIST, {
    options: {
      capability: ['--capability <names>', 'list only agents with any of these, separated by commas'],
      project: ['--project <name>', 'list only agents of this project; another repository has none here'],
      ...selfOptions('say '),
    },
    show({ agents }, { out }) {
      const { wall_ms } = readNow();
      const rows = agents.map(({ name, agent_id, status, capabilities, last_seen }) =>
        [
          name,
          agent_id,
          status,
          capabilities.join(','),
          `seen ${age(wall_ms - Date.parse(last_seen))} ago`,
        ].map(plain),
      );
      out(table(rows, 'No active agents.'));
    },
  });
}
