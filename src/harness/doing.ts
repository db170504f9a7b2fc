/** What an agent does at this moment, in a few words. Pure. */
import { asText, type JsonObject } from '../core/json-object.ts';
import { retryInWords } from './api-trouble.ts';
import type { Progress } from './progress.ts';

const WORDS_CHARS = 100;

/** What of a call's input says most. */
const SAYING = ['file_path', 'notebook_path', 'command', 'pattern', 'url', 'query', 'description', 'agentId'];

/** Null: it thinks, or has not begun. */
export function doingOf({ retry, open, is_idle, background, cwd }: Progress): string | null {
  if (retry !== null) return retryInWords(retry);
  const call = Object.values(open).at(-1);
  if (call !== undefined) return callInWords(call.tool, call.input, cwd);
  return is_idle && background.length > 0 ? `is done, but for ${background.length} in the background` : null;
}

/** @param cwd files below it are named from there */
function callInWords(tool: string, input: JsonObject, cwd: string): string {
  const said = SAYING.map((name) => asText(input[name])).find((text) => text !== '') ?? '';
  const about = cwd !== '' && said.startsWith(`${cwd}/`) ? said.slice(cwd.length + 1) : said;
  return `${tool} ${about.replaceAll(/\s+/g, ' ')}`.trim().slice(0, WORDS_CHARS);
}
