/** Who waits for whom, the longest wait first. */
import { whom } from '../../core/deadlock-words.ts';
import { plain } from '../../core/plain.ts';
import type { BoardRow, BoardView } from './rows.ts';
import { heldFilesOf } from './held-files.ts';

export function waitRows(view: BoardView): BoardRow[] {
  const { told, nameOf, fullNameOf, ago } = view;
  const length_ms = (since: string | null): number =>
    view.now_ms - (since === null ? view.now_ms : Date.parse(since));
  const inOrder = [...told.waits].sort(
    (a, b) =>
      Number(b.kind === 'wait') - Number(a.kind === 'wait') || length_ms(b.since) - length_ms(a.since),
  );
  return inOrder.map(({ from, to, path, kind, because, since }) => {
    const verb = kind === 'wait' ? 'waits' : because === 'agent' ? 'may wait' : 'was refused';
    const by = because === 'ticket' ? 'behind' : 'held by';
    return {
      id: JSON.stringify(['wait', from, to, path, kind, because]),
      cells: [
        { text: nameOf(from) },
        { text: verb },
        { text: since === null ? '' : ago(since), tone: 'dim' },
        { text: because === 'agent' ? plain(whom(from, to)) : plain(path), keep: 'end' },
        { text: because === 'agent' ? '' : `${by} ${nameOf(to)}` },
      ],
      detail: [
        `${fullNameOf(from)} ${verb}${since === null ? '' : `, since ${ago(since)} ago`}`,
        ...(because === 'agent'
          ? [`for the end of ${fullNameOf(to)}`]
          : [`for ${plain(path)}, ${because === 'ticket' ? 'queued behind' : 'held by'} ${fullNameOf(to)}`]),
      ],
      ...(because === 'hold' ? { held: heldFilesOf(view, to, [path]) } : {}),
    };
  });
}
