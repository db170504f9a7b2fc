/**
 * Expands `{a,b}` and `{1..3}` in a word, as text and before anything else, as the shell does: text in quotes, in `$( )`
 * or after a backslash is left unchanged.
 */
import { type Budget, LIMITS, spend } from './limits.ts';

/** Null if there are more results than the limit. */
export function expandBraces(text: string, budget: Budget): readonly string[] | null {
  const whole: string[] = [];
  const open = [text];
  for (let steps = 0; open.length > 0; steps++) {
    const next = open.pop() ?? '';
    // Each brace may cause the rest of the text to be searched.
    if (!spend(budget, next.length * next.split('{').length)) return null;
    const group = firstGroup(next);
    if (group === null) whole.push(next);
    else open.push(...group.parts.map((part) => group.before + part + group.after).reverse());
    if (steps > 2 * LIMITS.names || open.length + whole.length > LIMITS.names) return null;
  }
  return whole;
}

interface Group {
  readonly before: string;
  readonly after: string;
  readonly parts: readonly string[];
}

function firstGroup(text: string): Group | null {
  for (let at = 0; at < text.length; at = after(text, at)) {
    if (text.charAt(at) !== '{') continue;
    const cuts = cutsOf(text, at);
    const parts = cuts === null ? null : partsOf(text, cuts);
    const end = cuts?.at(-1);
    if (parts !== null && end !== undefined)
      return { before: text.slice(0, at), after: text.slice(end + 1), parts };
  }
  return null;
}

/** The positions of the opening brace, its commas, and the closing brace. */
function cutsOf(text: string, from: number): readonly number[] | null {
  const cuts = [from];
  let depth = 0;
  for (let at = from + 1; at < text.length; at = after(text, at)) {
    const char = text.charAt(at);
    if (char === '{') depth++;
    else if (char === ',' && depth === 0) cuts.push(at);
    else if (char === '}' && depth-- === 0) return [...cuts, at];
  }
  return null;
}

function partsOf(text: string, cuts: readonly number[]): readonly string[] | null {
  const parts = cuts.slice(1).map((cut, nth) => text.slice((cuts[nth] ?? 0) + 1, cut));
  return parts.length > 1 ? parts : rangeOf(parts[0] ?? '');
}

const NUMBERS = /^(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(-?\d{1,9}))?$/;
const LETTERS = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d{1,9}))?$/;

function rangeOf(text: string): readonly string[] | null {
  const [, from = '', to = '', step = '1'] = NUMBERS.exec(text) ?? LETTERS.exec(text) ?? [];
  if (from === '') return null;
  const is_letter = /[A-Za-z]/.test(from);
  const [first, last] = is_letter ? [from.charCodeAt(0), to.charCodeAt(0)] : [Number(from), Number(to)];
  const by = Math.max(1, Math.abs(Number(step)));
  const count = Math.min(Math.floor(Math.abs(last - first) / by) + 1, LIMITS.names + 1);
  const width = /^-?0\d/.test(from) || /^-?0\d/.test(to) ? Math.max(from.length, to.length) : 0;
  const numbers = Array.from({ length: count }, (_, nth) => first + Math.sign(last - first) * by * nth);
  return numbers.map((it) => (is_letter ? String.fromCharCode(it) : padded(it, width)));
}

const padded = (it: number, width: number): string =>
  (it < 0 ? '-' : '') + String(Math.abs(it)).padStart(width - (it < 0 ? 1 : 0), '0');

/** The next relevant position. */
function after(text: string, at: number): number {
  const char = text.charAt(at);
  if (char === '\\') return at + 2;
  if (char === "'") return closing(text, at, "'");
  if (char === '"') return closingQuote(text, at);
  if (char === '`') return closing(text, at, '`');
  if (char === '$' && text.charAt(at + 1) === '{') return closing(text, at, '}');
  if (char === '$' && text.charAt(at + 1) === '(') return closingParenthesis(text, at + 1);
  return at + 1;
}

function closing(text: string, at: number, char: string): number {
  const end = text.indexOf(char, at + 1);
  return end < 0 ? text.length : end + 1;
}

function closingQuote(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1;
  return at + 1;
}

function closingParenthesis(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text.charAt(at) === '(') depth++;
    else if (text.charAt(at) === ')' && --depth === 0) return at + 1;
  }
  return text.length;
}
