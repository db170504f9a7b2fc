/** What needs a person, most urgent first: deadlocks, long waits, recent refusals, clients without guard. */
import { grouped } from '../../core/grouped.ts';
import { plain } from '../../core/plain.ts';
import { age } from '../../core/time.ts';
import { cycleRow } from './cycle-row.ts';
import { heldFilesOf } from './held-files.ts';
import type { BoardRow, BoardView } from './rows.ts';
import { strangerRows } from './stranger-rows.ts';

/** Shorter waits appear only in the list of waits. */
const LONG_MS = 30_000;
/** An agent that is refused once or twice does what the refusal says; one that is refused again does not get on. */
const STUCK_TIMES = 3;

export const needRows = (view: BoardView): readonly BoardRow[] => [
  ...view.told.cycles.map((cycle) => cycleRow(view, cycle)),
  ...longWaits(view),
  ...denialRows(view),
  ...((view.told.unjoined ?? []).length + (view.told.other_clients ?? []).length > 0
    ? strangerRows(view)
    : []),
  ...noticedRows(view),
];

function longWaits(view: BoardView): BoardRow[] {
  const { told, now_ms, nameOf, fullNameOf } = view;
  return told.waits
    .filter(({ kind, path }) => kind === 'wait' && path !== '')
    .map((edge) => ({ ...edge, length_ms: now_ms - Date.parse(edge.since ?? '') }))
    .filter(({ length_ms }) => length_ms >= LONG_MS)
    .sort((a, b) => b.length_ms - a.length_ms)
    .map(({ from, to, path, because, length_ms }) => ({
      kind: 'wait',
      id: JSON.stringify(['long', from, to, path, because]),
      cells: [
        { text: 'waits', tone: 'yellow' },
        { text: age(length_ms), tone: 'yellow' },
        { text: `${nameOf(from)} for ${nameOf(to)}` },
        { text: plain(path), keep: 'end' },
      ],
      detail: [
        `${fullNameOf(from)} has waited ${age(length_ms)} for ${plain(path)}`,
        `${because === 'ticket' ? 'queued before it' : 'held by'}: ${fullNameOf(to)}`,
      ],
      ...(because === 'hold' ? { held: heldFilesOf(view, to, [path]) } : {}),
    }));
}

/** Repeated refusals are counted. */
function denialRows({ told, nameOf, fullNameOf, ago }: BoardView): BoardRow[] {
  const groups = grouped(told.denials, ({ agent, error_type, paths }) =>
    JSON.stringify(['denied', agent, error_type, ...paths]),
  );
  return [...groups].map(([id, all]) => {
    const [{ agent, at, paths, error_type, message }] = all;
    const times = all.length === 1 ? '' : ` (${all.length} times)`;
    const files = paths.map(plain);
    return {
      ...(all.length < STUCK_TIMES ? {} : { kind: 'denied' }),
      id,
      cells: [
        { text: 'denied' },
        { text: ago(at) },
        { text: `${nameOf(agent)}: ${error_type}${times}` },
        {
          text: files.length > 1 ? `${files.length} files, ${files[0] ?? ''}` : (files[0] ?? ''),
          keep: 'end',
        },
      ],
      detail: [
        `${fullNameOf(agent)} was refused ${ago(at)} ago${times}`,
        error_type,
        plain(message),
        ...files,
      ],
    };
  });
}

function noticedRows({ told, nameOf, now_ms }: BoardView): BoardRow[] {
  return told.noticed.map(({ what, file, event, detail, agent, at_wall_ms }) => {
    const words =
      what === 'hook'
        ? `hook for ${event}, added by ${nameOf(agent)}: ${detail}`
        : `after a command of ${nameOf(agent)}, ${detail}`;
    return {
      kind: 'noticed',
      id: JSON.stringify(['noticed', at_wall_ms, what, file, event, detail, agent]),
      cells: [
        { text: 'look at', tone: 'yellow' },
        { text: age(now_ms - at_wall_ms) },
        { text: plain(words), is_sentence: true },
        { text: plain(file), keep: 'end' },
      ],
      detail: [plain(file), plain(words)],
    };
  });
}
