// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Cells that a terminal gives to text beyond ASCII: two to CJK and emoji, none to what joins them. */
import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';

export const wideWidth = (text: string): number => stringWidth(text);

/** @param keep which end of it says most */
export function fitWide(text: string, width: number, keep: 'start' | 'end'): string {
  const position = keep === 'start' ? 'end' : 'start';
  // A cell of two that is cut in its middle comes whole.
  const cuts = [width, width - 1].map((room) => cliTruncate(text, room, { position }));
  return cuts.find((cut) => stringWidth(cut) <= width) ?? '';
}
