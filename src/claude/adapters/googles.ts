/** What Gemini CLI and Qwen Code, which is made of it, have in common: names of tools, and what these answer. Pure. */
import { nameHash } from '../../repo/name-hash.ts';
import { asFields, asText, type Fields } from '../fields.ts';

const TOOLS: Readonly<Record<string, string>> = {
  read_file: 'Read',
  replace: 'Edit',
  edit: 'Edit',
  write_file: 'Write',
  notebook_edit: 'NotebookEdit',
  run_shell_command: 'Bash',
};

/** Claude's name of a tool; undefined: it concerns nobody, or nobody knows it. */
export const claudesTool = (tool: string): string | undefined => TOOLS[tool];

/** Of a call without an id. Unfinished, as its `@` says: two calls with the same arguments are two calls (events/op.ts). */
export const digestOfCall = (tool: string, asked: Fields): string =>
  `${nameHash(JSON.stringify([tool, asked]))}@`;

export const inputOfCall = (asked: Fields): Fields => ({
  ...asked,
  ...(asked['allow_multiple'] === true ? { replace_all: true } : {}),
  ...(asked['is_background'] === true ? { run_in_background: true } : {}),
});

/** What a tool answered, as Claude's own says it. */
export function googlesResponse(tool: string, asked: Fields, response: Fields): Fields {
  const said = textOf(response['llmContent']);
  if (tool === 'Read') return { type: 'text', file: shown(said, asked) };
  if (tool === 'Bash') return { stdout: said };
  const { originalContent, newContent, isNewFile } = asFields(response['returnDisplay']);
  if (typeof newContent !== 'string' || typeof originalContent !== 'string') return {};
  const is_new = isNewFile === true || (originalContent === '' && /created and wrote to new file/.test(said));
  if (tool === 'Write' || is_new)
    return {
      type: is_new ? 'create' : 'update',
      content: newContent,
      originalFile: is_new ? null : originalContent,
    };
  // The whole text in place of the whole text: the client may have corrected what the model asked for.
  return { originalFile: originalContent, oldString: originalContent, newString: newContent };
}

const textOf = (content: unknown): string =>
  Array.isArray(content) ? content.map((part) => asText(asFields(part)['text'])).join('') : asText(content);

const PART = /Showing lines (\d+)-(\d+) of (\d+)[^]*?(?:--- FILE CONTENT \(truncated\) ---|\n---\n)\n{0,1}/;

/** A part says in front of itself which it is; asked for with a range, it may be one that does not. */
function shown(text: string, asked: Fields): Fields {
  const [head, first, last] = PART.exec(text) ?? [];
  if (head !== undefined) {
    const content = text.slice(text.indexOf(head) + head.length);
    return { content, startLine: Number(first), numLines: Number(last) - Number(first) + 1 };
  }
  const from = [asked['start_line'], asked['offset']].find((line) => typeof line === 'number');
  const isRanged = ['start_line', 'end_line', 'offset', 'limit'].some((name) => asked[name] !== undefined);
  if (!isRanged) return { content: text };
  return {
    content: text,
    startLine: Math.max(1, from ?? 1),
    numLines: text.replace(/\n$/, '').split('\n').length,
  };
}

/** A Read that found nothing says so in Claude's words. */
export const googlesFailure = (tool: string, error: string): string =>
  tool === 'Read' && /not found|no such file|does not exist/i.test(error) ? 'File does not exist.' : error;
