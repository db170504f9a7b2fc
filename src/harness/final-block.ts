/** What an agent says of its own work: the last JSON block of its last message. */
import type { AgentResult } from '../core/drafts.ts';

/** Asked of every drafted agent. */
export const ASKED_FOR = [
  'When you are done, end your last message with one JSON block of this shape:',
  '```json',
  '{"summary": "what you did, in a sentence or two", "changes": ["file: what changed"], "issues": ["what went wrong or is left"], "questions": ["what you need to know"]}',
  '```',
].join('\n');

/** Null: there is none, or it has no summary. */
export function finalBlock(message: string): AgentResult | null {
  const fenced = [...message.matchAll(/```(?:json)?[^\S\n]*\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  const candidates = [...fenced.reverse(), ...bare(message)];
  for (const candidate of candidates) {
    const result = resultIn(candidate);
    if (result !== null) return result;
  }
  return null;
}

/** Objects that begin a line, the last one first, up to the last brace. */
const bare = (message: string): string[] =>
  [...message.matchAll(/^\s*\{/gm)]
    .reverse()
    .map(({ index }) => message.slice(index, message.lastIndexOf('}') + 1));

function resultIn(text: string): AgentResult | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const { summary, changes, issues, questions } = value as Readonly<Record<string, unknown>>;
  if (typeof summary !== 'string') return null;
  return { summary, changes: texts(changes), issues: texts(issues), questions: texts(questions) };
}

/** Models write one text where a list was asked for, and objects where texts were. */
function texts(value: unknown): string[] {
  if (value === undefined || value === null || value === '') return [];
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
}
