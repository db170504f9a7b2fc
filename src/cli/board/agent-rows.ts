/** Who is here: what each agent is doing, and what it holds. */
import { grouped } from '../../core/grouped.ts';
import { plain } from '../../core/plain.ts';
import { age } from '../../core/time.ts';
import { byNeed } from './agent-need.ts';
import { foldPaths } from './fold.ts';
import { heldFilesOf } from './held-files.ts';
import type { BoardCell, BoardRow, BoardView } from './rows.ts';

type Agent = BoardView['told']['agents'][number];

export function rowsOfAgents(view: BoardView): BoardRow[] {
  const holds = grouped(view.told.leases, ({ holder }) => holder);
  const commands = grouped(view.told.commands, ({ agent }) => agent);
  const waits = grouped(view.told.waits, ({ from }) => from);
  return byNeed(view).map((agent): BoardRow => {
    const paths = [...new Set((holds.get(agent.agent) ?? []).map(({ path }) => path))];
    const doing = doingOf(view, agent, {
      command: commands.get(agent.agent)?.[0],
      waits: waits.get(agent.agent) ?? [],
    });
    const own = plain(agent.agent);
    return {
      id: JSON.stringify(['agent', agent.agent]),
      get cells(): BoardRow['cells'] {
        return [
          { text: plain(agent.name), tone: 'bold' },
          { text: age(agent.last_active_seconds * 1000), tone: 'dim' },
          doing,
          heldCell(paths),
          { text: agent.denials === 0 ? '' : `${agent.denials} denied` },
          { text: own === agent.name ? '' : own, tone: 'dim', is_spare: true },
        ];
      },
      get detail() {
        return [
          `${view.fullNameOf(agent.agent)}, ${agent.kind}${agent.drafted === null ? '' : ` drafted as ${plain(agent.drafted.role)} for ${plain(agent.drafted.task)}`}`,
          `last heard of ${age(agent.last_active_seconds * 1000)} ago, here for ${view.ago(agent.joined)}, turn ${agent.turn}${agent.pid === null ? '' : `, pid ${agent.pid}`}`,
          ...(doing.text === '' ? [] : [doing.text]),
          ...(paths.length === 0 ? ['holds nothing'] : ['holds', ...paths.map((path) => `  ${plain(path)}`)]),
        ];
      },
      get held() {
        return paths.length === 0 ? undefined : heldFilesOf(view, agent.agent, paths);
      },
    };
  });
}

interface Doing {
  readonly command: BoardView['told']['commands'][number] | undefined;
  readonly waits: readonly BoardView['told']['waits'][number][];
}

/** What is closest to the disk comes first. */
function doingOf({ nameOf, ago }: BoardView, agent: Agent, { command, waits }: Doing): BoardCell {
  const wait = waits.find(({ kind }) => kind === 'wait');
  const [call] = agent.at_work;
  if (agent.writing.length > 0)
    return { text: `writes ${agent.writing.map(plain).join(', ')}`, tone: 'green' };
  if (wait !== undefined)
    return {
      text: `waits ${wait.since === null ? '' : `${ago(wait.since)} `}for ${nameOf(wait.to)}`,
      tone: 'yellow',
    };
  if (command !== undefined) return { text: `in a command for ${ago(command.since)}`, tone: 'green' };
  if (call !== undefined) return { text: `in ${plain(call.tool)} for ${ago(call.since)}`, tone: 'green' };
  return { text: plain(agent.drafted?.doing ?? '') };
}

const NAMED = 2;

/** Of several files in one directory, their number and the end of its path matter. */
function heldCell(paths: readonly string[]): BoardCell {
  const folded = foldPaths(paths);
  const text = heldWords(folded);
  return folded.length === 1 ? { text, keep: paths.length === 1 ? 'end' : 'ends' } : { text };
}

function heldWords(folded: ReturnType<typeof foldPaths>): string {
  const shown = folded.slice(0, NAMED).map(({ words }) => words());
  const more = folded.slice(NAMED).reduce((sum, { paths: some }) => sum + some.length, 0);
  return `${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
}
