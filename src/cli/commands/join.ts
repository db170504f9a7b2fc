/** `guard join`: be listed, say what you are, and see who else is here and what they hold. */
import type { Command } from 'commander';
import { type AgentWithHolds, JOIN, type JoinAnswer } from '../../operations/membership.ts';
import { plain } from '../../core/plain.ts';
import type { CommandCall } from '../act.ts';
import { type CallerOptions, operates } from '../operate.ts';
import type { Shell } from '../shell.ts';
import { columns } from '../view/columns.ts';

export interface SelfOptions extends CallerOptions {
  readonly name?: string;
  /** Separated by commas. */
  readonly can?: string;
  readonly status?: string;
}

export function define(command: Command, shell: Shell): void {
  command
    .option('--name <name>', 'be called so')
    .option('--can <names>', 'what you can do, separated by commas')
    .option('--status <text>', 'what you are doing');
  operates(command, shell, JOIN, {
    given: ({ options }: CommandCall<SelfOptions>) => selfOf(options),
    flags: SELF_FLAGS,
    show: (told, { out }) => out(`${inWords(told).join('\n')}\n`),
  });
}

export const SELF_FLAGS = { name: '--name', capabilities: '--can', status: '--status' };

export const selfOf = ({ name, can, status }: SelfOptions): Readonly<Record<string, unknown>> => ({
  name,
  status,
  capabilities: can
    ?.split(',')
    .map((one) => one.trim())
    .filter((one) => one !== ''),
});

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
