/** `guard agents`: who is here; with `describe`, what you say of yourself. */
import type { Command } from 'commander';
import { plain } from '../../core/plain.ts';
import { agentsHere } from '../../coordination/agents.ts';
import { describeSelf } from '../../coordination/membership.ts';
import type { SelfDescription } from '../../coordination/membership.ts';
import { act } from '../act.ts';
import { atDesk, withDeskOptions } from '../desk.ts';
import type { DeskOptions } from '../desk.ts';
import { EXIT } from '../exit.ts';
import type { Shell } from '../shell.ts';
import { columns } from '../view/columns.ts';

interface Options extends DeskOptions, SelfDescription {
  readonly capability?: string;
  readonly project?: string;
}

export function define(command: Command, shell: Shell): void {
  withDeskOptions(command)
    .option('--capability <names>', 'only those that can any of these, separated by commas')
    .option('--project <name>', 'only of this project; another repository has none here')
    .option('--name <name>', 'be called so')
    .option('--can <names>', 'say what you can do, separated by commas')
    .option('--status <text>', 'say what you are doing');
  act<Options>(command, shell, ({ options }) =>
    atDesk(options, shell, (desk) => {
      const { capability, project } = options;
      if ([options.name, options.can, options.status].some((said) => said !== undefined))
        describeSelf(desk, options);
      const agents = agentsHere(desk, { capability, project });
      if (options.json === true) shell.json({ agents });
      else {
        const rows = agents.map((one) =>
          [one.name, one.agent_id, one.status, one.capabilities.join(','), `seen ${one.last_seen}`].map(
            plain,
          ),
        );
        shell.out(rows.length === 0 ? 'No agent is here.\n' : `${columns(rows).join('\n')}\n`);
      }
      return EXIT.yes;
    }),
  );
}
