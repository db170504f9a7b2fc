/**
 * guard's own entries in files that it shares with others: hooks and MCP servers, of Claude Code and of other hosts. The
 * rest of such a file belongs to the project.
 */
import { isGuardHookCommand } from '../install/command.ts';
import { isGuardServer } from '../install/mcp-server.ts';
import { asFields } from './input.ts';

/** `guard hook`, as configured in hosts that have no room for a longer command. */
const TYPED = /(?:^|[\s"'`/\\])guard(?:\.[cm]js)?["'`]?[\s,"'`]+hook(?=["'`\s]|$)/;

const isGuards = (text: string): boolean => isGuardHookCommand(text) || TYPED.test(text);

type Reader = (text: string) => readonly string[] | null;

/** Matched by the end of the path. A project whose file has no entry of guard's may change it freely. */
const SHARED: readonly (readonly [RegExp, Reader])[] = [
  [/\/\.mcp\.json$/i, inJson],
  [/\/\.claude\/settings(?:\.local)?\.json$/i, inJson],
  [/\/(?:\.codex|\.cursor)\/hooks\.json$/i, inJson],
  [/\/(?:\.gemini|\.qwen)\/settings\.json$/i, (text) => inJson(text) ?? inLines(text)],
  [/\/\.github\/hooks\/[^/]+\.json$/i, (text) => inJson(text) ?? inLines(text)],
  [/\/\.codex\/config\.toml$/i, inToml],
  [/\/\.opencode\/plugins?\/(?:.*\/)?[^/]*guard[^/]*$/i, (text) => (isGuards(text) ? [text] : [])],
];

/** How guard's entries in this file are read; undefined if it never has any. @param path with `/` as separator */
export const sharedFile = (path: string): Reader | undefined => SHARED.find(([at]) => at.test(path))?.[1];

/** Whether an entry of guard's has been removed. If `after` is null, the result of the write is unknown. */
export function losesOwn(read: Reader, before: string, after: string | null): boolean {
  // A file that its host cannot read has nothing to lose.
  const own = read(before) ?? [];
  if (own.length === 0) return false;
  const left = after === null ? null : read(after);
  return left === null || own.some((entry) => !left.includes(entry));
}

/** Each entry with the names and matchers above it. Null if it is not JSON. */
function inJson(text: string): readonly string[] | null {
  const found: string[] = [];
  try {
    collect(JSON.parse(text === '' ? '{}' : text), '', found);
  } catch {
    return null;
  }
  return found;
}

function collect(value: unknown, at: string, found: string[]): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, `${at}[${scalarsOf(item)}]`, found);
    return;
  }
  const fields = Object.entries(asFields(value));
  if (isGuardServer(value) || isGuards(wordsOf(fields))) found.push(`${at} ${JSON.stringify(value)}`);
  for (const [name, inner] of fields)
    if (typeof inner === 'object' && name !== 'args') collect(inner, `${at}/${name}`, found);
}

/** The fields next to a list of hooks decide when they run. */
const scalarsOf = (item: unknown): string =>
  JSON.stringify(Object.entries(asFields(item)).filter(([, value]) => typeof value !== 'object'));

/** The command of an entry, with its arguments if they are a list. */
const wordsOf = (fields: readonly (readonly [string, unknown])[]): string =>
  fields
    .flatMap(([name, value]): unknown[] =>
      Array.isArray(value) && /^(?:args|command)$/.test(name) ? value : [value],
    )
    .filter((value) => typeof value === 'string')
    .join(' ');

const inLines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(isGuards);

/** A table that runs guard, together with the table above it, which has its matcher. */
function inToml(text: string): readonly string[] {
  const tables = text.split(/^(?=[ \t]*\[)/m).map((table) => ({
    name: /^\s*\[+\s*([^\]]*?)\s*\]/.exec(table)?.[1] ?? '',
    lines: table
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#')),
  }));
  return tables.flatMap(({ name, lines }, nth) => {
    const words = lines.join('\n');
    if (!isGuards(words) && !isServerTable(words)) return [];
    const above = tables.slice(0, nth).findLast((table) => name.startsWith(`${table.name}.`));
    return [[...(above?.lines ?? []), ...lines].join('\n')];
  });
}

const isServerTable = (words: string): boolean =>
  /(?:^|["'/\\])guard(?:\.[cm]js|-hook\.cjs)?["'][\s,\]]*(?:\n\s*args\s*=\s*\[\s*)?["']mcp["']/.test(words);
