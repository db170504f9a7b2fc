import { plain } from '../../core/plain.ts';
import { killAgent } from '../../harness/kill.ts';
import type { AgentCommand } from '../commands/agent.ts';
import { EXIT } from '../exit.ts';
import { drafterAt, withHarness } from './workspace.ts';

export const killCommand: AgentCommand = ([id = ''], { agent, json, reason = 'guard agent kill' }, shell) =>
  withHarness(shell, async (space) => {
    const told = await killAgent(space, drafterAt(space, agent), id, reason);
    if (json === true) shell.json(told);
    else if (told.success) shell.out(`${plain(told.message)}\n`);
    else shell.err(`${plain(told.message)}\n`);
    return told.success ? EXIT.yes : EXIT.no;
  });
