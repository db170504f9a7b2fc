/** `guard join`: registers and describes this agent, and shows who else is here and what they hold. */
import type { Command } from 'commander';
import { type AgentWithHolds, JOIN, type JoinAnswer } from '../../operations/membership.ts';
import { plain } from '../../core/plain.ts';
import { operates } from '../operate.ts';
import type { OptionFields } from '../option-fields.ts';
import type { Shell } from '../shell.ts';
import { columns } from '../view/columns.ts';

/** How an agent describes itself. */
export const selfOptions = (say = ''): OptionFields => ({
  name: ['--name <name>', 'the name that others see'],
  capabilities: ['--can <names>', `${say}what you can do, separated by commas`, { read: namesIn }],
  status: ['--status <text>', `${say}what you are doing`],
});

const namesIn = (typed: unknown): readonly string[] | undefined =>
  typeof typed === 'string'
    ? typed
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== '')
    : undefined;

export function define(command: Command, shell: Shell): void {
  operates(command, shell, JOIN, {
    options: selfOptions(),
    show: (told, { out }) => out(`${inWords(told).join('\n')}\n`),
  });
}

function inWords({ agent, others }: JoinAnswer): string[] {
  const me = `You are ${plain(agent.name)} (${plain(agent.agent_id)}) in ${plain(agent.project)}.`;
  if (others.length === 0) return [me, 'No one else is here.'];
  return [me, 'Also here:', ...columns(others.map(rowOf))];
}

const SHOWN = 8;

function rowOf({ name, agent_id, status, capabilities, files, reservations }: AgentWithHolds): string[] {
  const held = [...files, ...reservations.map(({ id, path_pattern }) => `${path_pattern} (${id})`)];
  const more = held.length > SHOWN ? ` and ${held.length - SHOWN} more` : '';
  const holds = held.length === 0 ? '' : `holds ${held.slice(0, SHOWN).join(', ')}${more}`;
  return [name, agent_id, status, capabilities.join(','), holds].map(plain);
}
