import { plain } from '../../core/plain.ts';
import { toolCounts } from '../../harness/list.ts';
import { allDrafts } from '../../harness/workspace.ts';
import type { AgentCommand } from '../commands/agent.ts';
import { say } from '../shell.ts';
import { table } from '../view/columns.ts';
import { withHarness } from './workspace.ts';

export const statsCommand: AgentCommand = ([id], options, shell) =>
  withHarness(shell, (space) => {
    const drafts = allDrafts(space).filter((draft) => id === undefined || draft.id === id);
    const tools = toolCounts(drafts);
    const rows = tools.map(({ calls, tool, role, agent }) => [
      String(calls),
      ...[tool, role, agent].map(plain),
    ]);
    return say(shell, options, { tools }, () => table(rows, 'No tool was called yet.'));
  });
