/** `guard join`: be listed, say what you are, and see who else is here and what they hold. */
import type { Command } from 'commander';
import { join } from '../../coordination/membership.ts';
import type { AgentWithHolds, JoinAnswer, SelfDescription } from '../../coordination/membership.ts';
import { plain } from '../../core/plain.ts';
import { act } from '../act.ts';
import { atDesk, withDeskOptions } from '../desk.ts';
import type { DeskOptions } from '../desk.ts';
import { EXIT } from '../exit.ts';
import type { Shell } from '../shell.ts';
import { columns } from '../view/columns.ts';

interface Options extends DeskOptions, SelfDescription {}

export function define(command: Command, shell: Shell): void {
  withDeskOptions(command)
    .option('--name <name>', 'be called so')
    .option('--can <names>', 'what you can do, separated by commas')
    .option('--status <text>', 'what you are doing');
  act<Options>(command, shell, ({ options }) =>
    atDesk(options, shell, (desk) => {
      const told = join(desk, options);
      if (options.json === true) shell.json(told);
      else shell.out(`${inWords(told).join('\n')}\n`);
      return EXIT.yes;
    }),
  );
}

function inWords({ agent, others }: JoinAnswer): string[] {
  const me = `You are ${plain(agent.name)} (${plain(agent.agent_id)}) in ${plain(agent.project)}.`;
  if (others.length === 0) return [me, 'Nobody else is here.'];
  return [me, 'Here too:', ...columns(others.map(rowOf))];
}

const SHOWN = 8;

function rowOf({ name, agent_id, status, capabilities, files, reservations }: AgentWithHolds): string[] {
  const held = [...files, ...reservations.map(({ id, path_pattern }) => `${path_pattern} (${id})`)];
  const more = held.length > SHOWN ? ` and ${held.length - SHOWN} more` : '';
  const holds = held.length === 0 ? '' : `holds ${held.slice(0, SHOWN).join(', ')}${more}`;
  return [name, agent_id, status, capabilities.join(','), holds].map(plain);
}
