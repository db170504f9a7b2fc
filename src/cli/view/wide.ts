// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The number of cells that text beyond ASCII takes on a terminal: two for CJK and emoji, none for joiners. */
import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';

export const wideWidth = (text: string): number => stringWidth(text);

const CUT_AT = { start: 'end', end: 'start', ends: 'middle' } as const;

/** @param keep which end of the text matters more */
export function fitWide(text: string, width: number, keep: keyof typeof CUT_AT): string {
  const position = CUT_AT[keep];
  // A double-width cell that would be cut in half is kept whole, so a narrower cut may be needed.
  const cuts = [width, width - 1].map((room) => cliTruncate(text, room, { position }));
  return cuts.find((cut) => stringWidth(cut) <= width) ?? '';
}
