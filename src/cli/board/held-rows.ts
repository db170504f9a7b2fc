/** What is held: locks, reservations, and the files of command lines that write. */
import { checkoutWords } from '../../core/checkout-words.ts';
import { grouped } from '../../core/grouped.ts';
import { inNaturalOrder } from '../../core/natural-order.ts';
import { plain } from '../../core/plain.ts';
import { age } from '../../core/time.ts';
import { foldPaths } from './fold.ts';
import { heldFilesOf } from './held-files.ts';
import type { BoardRow, BoardView } from './rows.ts';

type Lease = BoardView['told']['leases'][number];

/** Locks with the same holder, mode, command and checkout are shown together. */
export function lockRows(view: BoardView): BoardRow[] {
  const inOrder = inNaturalOrder(view.told.leases, ({ path }) => path);
  return [...grouped(inOrder, groupOf).values()].flatMap((leases) => rowsOf(view, leases));
}

const idOf = ({ holder, mode, command, checkout }: Lease): string =>
  JSON.stringify([holder, mode, command, checkout]);

/** Most locks are exclusive and an agent's own, and there may be ten thousand. */
const groupOf = (lease: Lease): string =>
  lease.mode === 'exclusive' && lease.command === undefined && lease.checkout === undefined
    ? lease.holder
    : `\0${idOf(lease)}`;

/** @param leases of one group. What is only needed of a row that is shown is made when it is read. */
function rowsOf(view: BoardView, leases: readonly [Lease, ...Lease[]]): BoardRow[] {
  const { nameOf, now_ms, is_folded, ago } = view;
  const by = new Map(leases.map((lease) => [lease.path, lease]));
  const [one] = leases;
  const { holder, mode, command, checkout } = one;
  return foldPaths([...by.keys()], is_folded).map(({ words, paths, area }) => {
    const ownOf = (): [Lease, ...Lease[]] => paths.flatMap((path) => by.get(path) ?? []) as [Lease];
    return {
      get id() {
        return JSON.stringify(['lock', idOf(one), area]);
      },
      get cells(): BoardRow['cells'] {
        const own = ownOf();
        const [{ holder_state }] = own;
        const oldest = Math.min(...own.map(({ since }) => Date.parse(since)));
        return [
          { text: words(), keep: paths.length === 1 ? 'end' : 'ends' },
          { text: nameOf(holder) },
          { text: age(now_ms - oldest), tone: 'dim' },
          { text: mode === 'shared' ? 'shared' : command === undefined ? '' : 'until its command ends' },
          { text: holder_state, tone: 'dim' },
        ];
      },
      get detail() {
        const own = ownOf();
        const [{ holder_state }] = own;
        return [
          `held by ${view.fullNameOf(holder)}: ${holder_state}`,
          ...(command === undefined ? [] : ['until its command ends']),
          ...(checkout === undefined ? [] : [`taken in ${checkoutWords(checkout)}`]),
          ...own.map(
            (one) =>
              `  ${plain(one.path)}  ${one.mode === 'shared' ? 'shared  ' : ''}for ${ago(one.since)}  ${age(Date.parse(one.expires_at) - now_ms)} left  token ${one.token}`,
          ),
        ];
      },
      get held() {
        return heldFilesOf(view, holder, paths);
      },
    };
  });
}

export function reservationRows({ told, nameOf, fullNameOf, now_ms }: BoardView): BoardRow[] {
  return told.reservations.map((one) => ({
    get id() {
      return JSON.stringify(['reservation', one.id]);
    },
    get cells(): BoardRow['cells'] {
      return [
        { text: plain(one.path_pattern), keep: 'end' },
        { text: nameOf(one.agent_id) },
        { text: one.exclusive ? '' : 'shared' },
        { text: `${age(Date.parse(one.expires_at) - now_ms)} left`, tone: 'dim' },
        { text: plain(one.reason) },
      ];
    },
    get detail() {
      return [
        `${plain(one.path_pattern)}  ${one.id}`,
        `reserved by ${fullNameOf(one.agent_id)}, ${age(Date.parse(one.expires_at) - now_ms)} left`,
        plain(one.reason),
      ];
    },
  }));
}

export function commandRows({ told, nameOf, fullNameOf, ago, is_folded }: BoardView): BoardRow[] {
  return told.commands.map(({ agent, op, paths, since, in_background, elsewhere = [] }) => ({
    id: JSON.stringify(['command', agent, op]),
    cells: [
      { text: nameOf(agent) },
      { text: ago(since), tone: 'dim' },
      { text: in_background ? 'in the background' : '' },
      {
        text: [
          ...foldPaths(paths, is_folded).map(({ words }) => words()),
          ...elsewhere.map((root) => `files in ${plain(root)}`),
        ].join(', '),
      },
    ],
    detail: [
      `a command line of ${fullNameOf(agent)} for ${ago(since)}, which writes`,
      ...paths.map((path) => `  ${plain(path)}`),
    ],
  }));
}
