/** What begins to need a person, from one look to the next. Pure. */
import type { AttentionKind } from '../../core/needs/need.ts';
import type { BoardRow } from '../board/rows.ts';

export interface Matter {
  readonly kind: AttentionKind;
  /** One line. */
  readonly text: string;
  readonly detail: readonly string[];
}

export interface Attention {
  /** Matters that the previous look did not show, most urgent first. */
  readonly news: readonly Matter[];
  /** For the next look. A matter that goes away and returns is news again. */
  readonly seen: ReadonlySet<string>;
}

export function attentionOf(rows: readonly BoardRow[], seen: ReadonlySet<string>): Attention {
  const matters = rows.flatMap(({ id, kind, cells, detail }) =>
    kind === undefined ? [] : [{ id, matter: { kind, text: lineOf(cells), detail } }],
  );
  return {
    news: matters.filter(({ id }) => !seen.has(id)).map(({ matter }) => matter),
    seen: new Set(matters.map(({ id }) => id)),
  };
}

const lineOf = (cells: BoardRow['cells']): string =>
  cells
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join('  ');
