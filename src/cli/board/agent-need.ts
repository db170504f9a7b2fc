/** Which agents come first: those that a person may have to help, then those at work; otherwise by name. */
import { inNaturalOrder } from '../../core/natural-order.ts';
import type { BoardView } from './rows.ts';

type Agent = BoardView['told']['agents'][number];

export function byNeed({ told }: BoardView): Agent[] {
  const { cycles, waits, commands } = told;
  const dead = new Set(
    cycles.filter(({ kind }) => kind === 'deadlock').flatMap(({ edges }) => edges.map(({ from }) => from)),
  );
  const waiting = new Set(waits.filter(({ kind }) => kind === 'wait').map(({ from }) => from));
  const busy = new Set(commands.map(({ agent }) => agent));
  const rankOf = ({ agent, denials, writing, at_work }: Agent): number =>
    [
      dead.has(agent),
      waiting.has(agent),
      denials > 0,
      writing.length > 0,
      busy.has(agent) || at_work.length > 0,
      true,
    ].indexOf(true);
  return inNaturalOrder(told.agents, ({ name }) => name).sort((a, b) => rankOf(a) - rankOf(b));
}
