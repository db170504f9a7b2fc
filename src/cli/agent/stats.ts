import { plain } from '../../core/plain.ts';
import { toolCounts } from '../../harness/list.ts';
import { allDrafts } from '../../harness/workspace.ts';
import type { AgentOptions } from '../commands/agent.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import type { Shell } from '../shell.ts';
import { columns } from '../view/columns.ts';
import { withHarness } from './workspace.ts';

export function statsCommand(
  [id]: readonly string[],
  { json }: AgentOptions,
  shell: Shell,
): Promise<ExitCode> {
  return withHarness(shell, (space) => {
    const drafts = allDrafts(space).filter((draft) => id === undefined || draft.id === id);
    const tools = toolCounts(drafts);
    if (json === true) shell.json({ tools });
    else if (tools.length === 0) shell.out('No tool was called yet.\n');
    else
      shell.out(
        `${columns(tools.map((row) => [String(row.calls), plain(row.tool), plain(row.role), plain(row.agent)])).join('\n')}\n`,
      );
    return EXIT.yes;
  });
}
