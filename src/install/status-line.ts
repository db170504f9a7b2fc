/**
 * The client's `statusLine`: one command for each session, so guard's runs the one that was there before it. Pure: text in, text
 * out, as merge.ts.
 */
import { shellWord } from '../core/shell-word.ts';
import { asObject, asText } from '../core/json-object.ts';
import { removeAt, setAt } from './json-text.ts';
import type { WantedSettings } from './merge.ts';

export interface WantedLine {
  /** How agents call guard. */
  readonly command: string;
  /** What a settings file that counts less has; null: there is none, or it is guard's. */
  readonly below: string | null;
  /** Every so many seconds, too; null: the client does not know that. */
  readonly refresh_s: number | null;
}

/** All that guard wants of a settings file. */
export interface WantedFile extends WantedSettings {
  /** Null: it is to go. Absent: what there is of it stays as it is. */
  readonly status_line?: WantedLine | null | undefined;
}

export const STATUS_LINE = 'statusLine';
const OWN = /^(?:guard|.*[/\\]bin[/\\]guard\.[cm]js['"]?) statusline(?: --beside (.+))?$/s;

/**
 * Other words of the value stay.
 * @param wanted null: guard's goes; undefined: whatever is there stays
 * @param is_made guard put the value there; null: nobody knows
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

/** Unknown: guard put it there where nothing is beside it. */
export function stripStatusLine(text: string, is_made: boolean | null): string {
  const found = lineIn(text);
  if (found?.command == null || !isOwnLine(found.command)) return text;
  const other = othersIn(found.command);
  return other === null || is_made === true
    ? removeAt(text, [STATUS_LINE])
    : setAt(text, [STATUS_LINE, 'command'], other);
}

export const isOwnLine = (command: string): boolean => OWN.test(command);

/** What a file says, to be run beside guard's by one that counts more. */
export function foreignLine(settings: unknown): string | null {
  const { type, command } = asObject(asObject(settings)[STATUS_LINE]);
  const said = type === 'command' ? asText(command) : '';
  return said === '' ? null : othersIn(said);
}

/** Null: there is none. A null command: a value of another kind. */
function lineIn(text: string): { readonly command: string | null } | null {
  const value = asObject(JSON.parse(text))[STATUS_LINE];
  if (value === undefined) return null;
  const { type, command } = asObject(value);
  return { command: type === 'command' && typeof command === 'string' ? command : null };
}

/** The command itself where it is not guard's; of guard's, what runs beside it. */
function othersIn(command: string): string | null {
  const own = OWN.exec(command);
  if (own === null) return command;
  const word = own[1];
  if (word === undefined) return null;
  return word.startsWith("'") ? word.slice(1, -1).replaceAll("'\\''", "'") : word;
}
