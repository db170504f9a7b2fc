import { plain } from '../../core/plain.ts';
import { killAgent } from '../../harness/kill.ts';
import type { AgentOptions } from '../commands/agent.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import type { Shell } from '../shell.ts';
import { drafterAt, withHarness } from './workspace.ts';

export function killCommand(
  [id = '']: readonly string[],
  { agent, json, reason = 'guard agent kill' }: AgentOptions,
  shell: Shell,
): Promise<ExitCode> {
  return withHarness(shell, async (space) => {
    const told = await killAgent(space, drafterAt(space, agent), id, reason);
    if (json === true) shell.json(told);
    else if (told.success) shell.out(`${plain(told.message)}\n`);
    else shell.err(`${plain(told.message)}\n`);
    return told.success ? EXIT.yes : EXIT.no;
  });
}
