/** What an agent reports about its own work: the last JSON block of its last message. */
import { attempt } from '../core/attempt.ts';
import { isObject } from '../core/json-object.ts';
import type { AgentResult } from '../core/drafts.ts';

/** Every drafted agent is asked for this. */
export const ASKED_FOR = [
  'When you are done, end your last message with one JSON block of this shape:',
  '```json',
  '{"summary": "what you did, in a sentence or two", "changes": ["file: what changed"], "issues": ["what went wrong or is left"], "questions": ["what you need to know"]}',
  '```',
].join('\n');

/** Limits on a message: anything longer, or with more candidates, was not written as a report. */
const MESSAGE_CHARS = 64_000;
const CANDIDATES = 200;

/** `null` if there is none, or it has no summary. */
export function finalBlock(whole: string): AgentResult | null {
  const message = whole.slice(-MESSAGE_CHARS);
  const fenced = [...message.matchAll(/```(?:json)?[^\S\n]*\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  const candidates = [...fenced.reverse().slice(0, CANDIDATES), ...bare(message)];
  for (const candidate of candidates) {
    const result = resultIn(candidate);
    if (result !== null) return result;
  }
  return null;
}

const TEXT_CHARS = 2_000;
const LIST_CHARS = 5_000;

/** The part that the ledger keeps; the result says if something was left out. */
export const shortenedResult = ({ summary, changes, issues, questions }: AgentResult): AgentResult => ({
  summary: cut(summary),
  changes: fewer(changes),
  issues: fewer(issues),
  questions: fewer(questions),
});

const cut = (text: string): string => (text.length > TEXT_CHARS ? `${text.slice(0, TEXT_CHARS)}…` : text);

function fewer(items: readonly string[]): string[] {
  let left = LIST_CHARS;
  const kept = items.map(cut).filter((item) => (left -= item.length + 1) >= 0);
  return kept.length === items.length ? kept : [...kept, `… and ${items.length - kept.length} more`];
}

/** Objects that begin a line, last one first, each up to the last brace. */
const bare = (message: string): string[] =>
  [...message.matchAll(/^[^\S\n]*\{/gm)]
    .reverse()
    .slice(0, CANDIDATES)
    .map(({ index }) => message.slice(index, message.lastIndexOf('}') + 1));

/** `null` if it is not JSON, or is nested too deeply to be written again. */
const resultIn = (text: string): AgentResult | null => attempt(() => resultOf(JSON.parse(text)), null);

function resultOf(value: unknown): AgentResult | null {
  if (!isObject(value)) return null;
  const { summary, changes, issues, questions } = value;
  if (typeof summary !== 'string') return null;
  return { summary, changes: texts(changes), issues: texts(issues), questions: texts(questions) };
}

/** Models write a single text where a list was asked for, and objects where texts were. */
function texts(value: unknown): string[] {
  if (value === undefined || value === null || value === '') return [];
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
}
