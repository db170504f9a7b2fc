/** A tool call in a few words: the tool, and the most telling part of its input. Pure. */
import { asText, type JsonObject } from '../core/json-object.ts';

const WORDS_CHARS = 100;
const MCP = /^mcp__.+?__/;
const SAYING = [
  ...['file_path', 'notebook_path', 'path', 'command', 'pattern', 'filepaths', 'agentId', 'url', 'query'],
  ...['description', 'prompt'],
];

/** @param cwd files below it are named relative to it; '' for none */
export function callWords(tool: string, input: JsonObject, cwd: string): string {
  const found = SAYING.map((name) => textOf(input[name])).find((text) => text !== '') ?? '';
  const about = cwd !== '' && found.startsWith(`${cwd}/`) ? found.slice(cwd.length + 1) : found;
  return `${tool.replace(MCP, '')} ${about.replaceAll(/\s+/g, ' ')}`.trim().slice(0, WORDS_CHARS);
}

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : asText(value));
