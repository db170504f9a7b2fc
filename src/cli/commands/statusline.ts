/** `guard statusline`: one line that the client shows below a session. */
import { readFileSync } from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import { act } from '../act.ts';
import type { Declaring } from '../declaring.ts';
import { EXIT } from '../exit.ts';
import type { Shell } from '../shell.ts';
import { besideLine } from '../statusline/beside.ts';
import { joinLines, sessionLine } from '../statusline/line.ts';
import { seeSession } from '../statusline/look.ts';

interface Options {
  readonly beside?: string;
  readonly json?: boolean;
}

export function define(command: Declaring, shell: Shell): void {
  command.option('--beside <command>', 'your own status line, shown first').option('--json', 'print JSON');
  // A client shows nothing if its status line fails, so the line itself reports every fault.
  act<Options>(command, shell, async ({ options: { beside, json } }) => {
    const given = shell.isInteractive ? '' : attempt(() => readFileSync(0, 'utf8'), '');
    const other = beside === undefined ? '' : besideLine(beside, given, shell);
    const seen = seeSession(given, shell);
    const { text, is_alarm } = sessionLine(seen);
    if (json === true) shell.json({ line: text, alarm: is_alarm, off_ms: seen.off_ms, ...countsOf(seen) });
    else shell.out(`${joinLines(await other, is_alarm ? alarming(text, shell) : text)}\n`);
    return EXIT.yes;
  });
}

const countsOf = ({ state }: ReturnType<typeof seeSession>): object =>
  typeof state === 'string' ? { guarded: false, why: state } : { guarded: !('code' in state), ...state };

/** The client shows colours, although it reads from a pipe. */
const alarming = (text: string, { env }: Shell): string =>
  (env['NO_COLOR'] ?? '') === '' ? `\u001b[31m${text}\u001b[39m` : text;
