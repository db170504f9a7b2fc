/** The claims of docs/threat-model.md: rows of attempts, and the sentences of its other sections. */
import { textOf } from '../architecture/sources.ts';

export const DOCUMENT = 'docs/threat-model.md';

export interface Passage {
  /** The heading of the section, without `##`. */
  readonly under: string;
  /** The first cell of a row; `null` for running text. */
  readonly attempt: string | null;
  /** The outcome of the attempt, or the running text, as one line. */
  readonly answer: string;
}

/** Every row of a table of attempts, and the running text of every section, in document order. */
export function passagesOf(markdown: string): readonly Passage[] {
  return sectionsOf(markdown).flatMap(({ under, lines }) => {
    const prose = lines.filter((line) => !line.startsWith('|')).join(' ');
    const text = prose.replace(/\s+/g, ' ').trim();
    const rows = tablesIn(lines)
      .filter(([head]) => head?.attempt === 'Attempt')
      .flatMap((table) => table.slice(2));
    return [
      ...rows.map((row) => ({ under, ...row })),
      ...(text === '' ? [] : [{ under, attempt: null, answer: text }]),
    ];
  });
}

export const threatModel = (): readonly Passage[] => passagesOf(textOf(DOCUMENT));

/** A sentence ends with a full stop before a capital, a backtick or the start of emphasis. */
export const sentencesOf = (text: string): readonly string[] =>
  text.split(/(?<=[.!?](?:\*\*)?)\s+(?=[A-Z`*])/).filter((sentence) => sentence !== '');

function sectionsOf(markdown: string): readonly { under: string; lines: readonly string[] }[] {
  return markdown.split(/^## /m).map((text, index) => {
    const [heading = '', ...lines] = text.split('\n');
    return { under: index === 0 ? '' : heading.trim(), lines };
  });
}

type Row = { readonly attempt: string; readonly answer: string };

/** The rows of each table, including its head and the line below it. */
function tablesIn(lines: readonly string[]): readonly (readonly Row[])[] {
  const tables: Row[][] = [];
  lines.forEach((line, index) => {
    if (!line.startsWith('|')) return;
    if (!(lines[index - 1] ?? '').startsWith('|')) tables.push([]);
    const [attempt = '', ...rest] = line.replace(/^\||\|\s*$/g, '').split(/(?<!\\)\|/);
    tables.at(-1)?.push({ attempt: attempt.trim(), answer: rest.join('|').trim() });
  });
  return tables;
}
