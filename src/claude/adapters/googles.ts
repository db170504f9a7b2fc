/** What Gemini CLI and its fork Qwen Code have in common: names of tools, and their answers. Pure. */
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

/** Claude's name for a tool; undefined if the tool is unknown or does not concern guard. */
export const claudesTool = (tool: string): string | undefined => TOOLS[tool];

/** The id of a call that has none. The `@` marks it as incomplete: equal calls are separate calls (events/op.ts). */
export const digestOfCall = (tool: string, asked: Fields): string =>
  `${nameHash(JSON.stringify([tool, asked]))}@`;

export const inputOfCall = (asked: Fields): Fields => ({
  ...asked,
  ...(asked['allow_multiple'] === true ? { replace_all: true } : {}),
  ...(asked['is_background'] === true ? { run_in_background: true } : {}),
});

/** A tool's response in the form that Claude's tools use. */
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
  // Replace the whole text with the whole text: the client may have corrected what the model asked for.
  return { originalFile: originalContent, oldString: originalContent, newString: newContent };
}

const textOf = (content: unknown): string =>
  Array.isArray(content) ? content.map((part) => asText(asFields(part)['text'])).join('') : asText(content);

const PART = /Showing lines (\d+)-(\d+) of (\d+)[^]*?(?:--- FILE CONTENT \(truncated\) ---|\n---\n)\n{0,1}/;

/** A partial read starts with a header that gives its range. A read with a requested range may lack it and still be partial. */
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

/** Words a failed Read of a missing file as Claude does. */
export const googlesFailure = (tool: string, error: string): string =>
  tool === 'Read' && /not found|no such file|does not exist/i.test(error) ? 'File does not exist.' : error;
