/** The output that makes a terminal show other lines. Pure. */
import ansiEscapes from 'ansi-escapes';

/** Drawn as one frame if the terminal supports it (mode 2026); others ignore it. */
const [TOGETHER, SHOWN] = ['\u001b[?2026h', '\u001b[?2026l'];

/** Only the lines that changed; '' if none did. @param before what it shows; `null` if that is unknown, as after a resize */
export function repaint(before: readonly string[] | null, after: readonly string[]): string {
  const lines = after.flatMap((line, y) =>
    line === before?.[y] ? [] : [ansiEscapes.cursorTo(0, y) + line + ansiEscapes.eraseEndLine],
  );
  const cleared = before === null ? ansiEscapes.clearViewport : '';
  return lines.length === 0 && cleared === '' ? '' : `${TOGETHER}${cleared}${lines.join('')}${SHOWN}`;
}

export const TAKE_SCREEN = ansiEscapes.enterAlternativeScreen + ansiEscapes.cursorHide;
export const GIVE_BACK = ansiEscapes.cursorShow + ansiEscapes.exitAlternativeScreen;
