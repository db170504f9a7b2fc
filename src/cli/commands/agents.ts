/** `guard agents`: who is here; with `describe`, what you say of yourself. */
import type { Command } from 'commander';
import { GuardError } from '../../core/error.ts';
import { plain } from '../../core/plain.ts';
import { agentsHere } from '../../coordination/agents.ts';
import { act } from '../act.ts';
import { atDesk, withDeskOptions } from '../desk.ts';
import type { DeskOptions } from '../desk.ts';
import { EXIT } from '../exit.ts';
import type { Shell } from '../shell.ts';
import { columns } from '../view/columns.ts';

interface Options extends DeskOptions {
  readonly capability?: string;
  readonly project?: string;
  readonly name?: string;
  readonly can?: string;
  readonly status?: string;
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
      const { name, can, status, capability, project } = options;
      if (name !== undefined || can !== undefined || status !== undefined) {
        if (name !== undefined && !/^[\w.-]{1,64}$/.test(name))
          throw new GuardError(
            'GUARD_ERR_USAGE',
            'That is not a name.',
            'Letters, digits, and any of "_ . -", at most 64.',
          );
        const done = desk.ledger.run({
          type: 'agent.describe',
          who: desk.who,
          ...(name === undefined ? {} : { name }),
          ...(can === undefined ? {} : { capabilities: listed(can) }),
          ...(status === undefined ? {} : { status: status.slice(0, 200) }),
        });
        if (!done)
          throw new GuardError('GUARD_ERR_USAGE', 'Another agent has that name.', 'Choose another one.');
      }
      const agents = agentsHere(desk, {
        ...(capability === undefined ? {} : { capability }),
        ...(project === undefined ? {} : { project }),
      });
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

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim().slice(0, 64))
    .filter((one) => one !== '')
    .slice(0, 32);
