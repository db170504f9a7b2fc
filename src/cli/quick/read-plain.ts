/**
 * Reads a plain command line as commander would. `null` for any other, right or wrong: commander reads that one, and
 * reports what is wrong with it.
 */
import type { QuickForm, QuickGiven } from './declared.ts';

/** Words that have a meaning anywhere, even as values. */
const GLOBAL = new Set(['--', '-h', '--help', '-V', '--version', '--no-color']);

/** @param words what follows the command's name */
export function readPlain(command: QuickForm, words: readonly string[]): QuickForm | null {
  if (words.some((word) => GLOBAL.has(word))) return null;
  const sub = command.commands.size === 0 ? command : command.commands.get(words[0] ?? '');
  if (sub === undefined || sub.body === null || !sub.is_plain) return null;
  const given = readOptions(sub, sub === command ? words : words.slice(1));
  if (given === null) return null;
  sub.given = given;
  return sub;
}

function readOptions(command: QuickForm, words: readonly string[]): QuickGiven | null {
  const args: string[] = [];
  const options: Record<string, unknown> = {};
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word.length < 2 || !word.startsWith('-')) {
      args.push(word);
      continue;
    }
    const [, flag = '', joined] = /^(--[^=]+)(?:=([\s\S]*))?$/.exec(word) ?? [];
    const option = command.options.get(flag);
    if (option === undefined || (!option.has_value && joined !== undefined)) return null;
    const value = option.has_value ? (joined ?? words[++at]) : true;
    if (value === undefined) return null;
    options[option.name] =
      option.read === undefined || value === true ? value : option.read(value, options[option.name] as never);
  }
  const isCount = args.length >= command.min_operands && args.length <= command.max_operands;
  return isCount ? { args, options } : null;
}
