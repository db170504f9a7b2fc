/** Text that does not fit on one line, on several. */
import { cellWidth } from './cell.ts';

/** Further lines of an indented line are indented more, so that they do not look like lines of their own. */
const FURTHER = '  ';
/** In a narrower terminal, an indentation would take what little room there is. */
const INDENTED_FROM = 20;

/** Lines of at most `width` cells, broken at blanks where possible. A double-width character needs a width of 2. */
export function wrapCells(text: string, width: number): readonly string[] {
  if (cellWidth(text) <= width) return [text];
  const [own = ''] = width < INDENTED_FROM ? [] : (/^ */.exec(text) ?? []);
  const indent = own === '' ? '' : own + FURTHER;
  const lines: string[] = [];
  let line = own;
  let isBegun = false;
  for (const { piece, gap } of piecesOf(text.trimStart(), width - indent.length)) {
    const before = isBegun ? gap : '';
    if (isBegun && cellWidth(line + before + piece) > width) {
      lines.push(line.trimEnd());
      line = indent + piece;
    } else line += before + piece;
    isBegun = true;
  }
  return [...lines, line.trimEnd()];
}

interface Piece {
  readonly piece: string;
  /** Between this piece and the one before it on the same line. */
  readonly gap: string;
}

/** Words; a word that is wider than a line, as its characters that fit on one. */
const piecesOf = (text: string, width: number): readonly Piece[] =>
  text
    .split(' ')
    .flatMap((word) =>
      cellWidth(word) <= width
        ? [{ piece: word, gap: ' ' }]
        : [...new Intl.Segmenter('en').segment(word)]
            .filter(({ segment }) => cellWidth(segment) <= width)
            .map(({ segment }, nth) => ({ piece: segment, gap: nth === 0 ? ' ' : '' })),
    );
