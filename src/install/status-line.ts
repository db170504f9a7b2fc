/**
 * The client's `statusLine`: one command per session, so guard's also runs the one that was there before. Pure: text in,
 * text out, like merge.ts.
 */
import { shellWord } from '../core/shell-word.ts';
import { asObject, asText } from '../core/json-object.ts';
import { removeAt, setAt } from './json-text.ts';
import type { WantedSettings } from './merge.ts';

export interface WantedLine {
  /** How agents call guard. */
  readonly command: string;
  /** The line of a settings file with lower precedence; `null` if there is none, or it is guard's. */
  readonly below: string | null;
  /** How often to refresh it, in seconds; `null` if the client does not support that. */
  readonly refresh_s: number | null;
}

/** Everything that guard wants in a settings file. */
export interface WantedFile extends WantedSettings {
  /** `null`: remove it. Absent: leave it unchanged. */
  readonly status_line?: WantedLine | null | undefined;
}

export const STATUS_LINE = 'statusLine';
const OWN = /^(?:guard|.*[/\\]bin[/\\]guard\.[cm]js['"]?) statusline(?: --beside (.+))?$/s;

/**
 * Keeps other keys of the value.
 * @param wanted `null`: remove guard's; `undefined`: leave whatever is there
 * @param is_made whether guard added the value; `null` if unknown
 */
export function mergeStatusLine(
  text: string,
  wanted: WantedLine | null | undefined,
  is_made: boolean | null,
): string {
  if (wanted === undefined) return text;
  if (wanted === null) return stripStatusLine(text, is_made);
  const found = lineIn(text);
  if (found !== null && found.command === null) return text;
  const other = found === null || is_made === true ? wanted.below : othersIn(found.command ?? '');
  const command = `${wanted.command} statusline${other === null ? '' : ` --beside ${shellWord(other)}`}`;
  if (found?.command === command) return text;
  const { refresh_s } = wanted;
  const more = refresh_s === null ? {} : { refreshInterval: refresh_s };
  return found === null
    ? setAt(text, [STATUS_LINE], { type: 'command', command, ...more })
    : setAt(text, [STATUS_LINE, 'command'], command);
}

/** If `is_made` is unknown, guard added the line if no other command runs alongside. */
export function stripStatusLine(text: string, is_made: boolean | null): string {
  const found = lineIn(text);
  if (found?.command == null || !isOwnLine(found.command)) return text;
  const other = othersIn(found.command);
  return other === null || is_made === true
    ? removeAt(text, [STATUS_LINE])
    : setAt(text, [STATUS_LINE, 'command'], other);
}

export const isOwnLine = (command: string): boolean => OWN.test(command);

/** The line of a settings file, for a file with higher precedence to run alongside guard's. */
export function foreignLine(settings: unknown): string | null {
  const { type, command } = asObject(asObject(settings)[STATUS_LINE]);
  const said = type === 'command' ? asText(command) : '';
  return said === '' ? null : othersIn(said);
}

/** `null` if there is none; its command is `null` for a value of another kind. */
function lineIn(text: string): { readonly command: string | null } | null {
  const value = asObject(JSON.parse(text))[STATUS_LINE];
  if (value === undefined) return null;
  const { type, command } = asObject(value);
  return { command: type === 'command' && typeof command === 'string' ? command : null };
}

/** The command itself if it is not guard's; otherwise the one that runs alongside guard's. */
function othersIn(command: string): string | null {
  const own = OWN.exec(command);
  if (own === null) return command;
  const word = own[1];
  if (word === undefined) return null;
  return word.startsWith("'") ? word.slice(1, -1).replaceAll("'\\''", "'") : word;
}
