/** What has to be written for a terminal to show other lines. Pure. */
import ansiEscapes from 'ansi-escapes';

/** As one picture, where the terminal knows how (mode 2026); all others ignore it. */
const [TOGETHER, SHOWN] = ['\u001b[?2026h', '\u001b[?2026l'];

/** Only lines that are others; '' where none is. @param before what it shows; of another size: nothing that can be relied on */
export function repaint(before: readonly string[] | null, after: readonly string[]): string {
  const lines = after.flatMap((line, y) =>
    line === before?.[y] ? [] : [ansiEscapes.cursorTo(0, y) + line + ansiEscapes.eraseEndLine],
  );
  const cleared = before === null ? ansiEscapes.clearViewport : '';
  return lines.length === 0 && cleared === '' ? '' : `${TOGETHER}${cleared}${lines.join('')}${SHOWN}`;
}

export const TAKE_SCREEN = ansiEscapes.enterAlternativeScreen + ansiEscapes.cursorHide;
export const GIVE_BACK = ansiEscapes.cursorShow + ansiEscapes.exitAlternativeScreen;
