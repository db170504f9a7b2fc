/** An agent's log for people: what it said, what it called, the answers, and how it ended. Pure. */
import { asList, asObject, asText, isObject, type JsonObject, parsedObject } from '../core/json-object.ts';
import { callWords } from './call-words.ts';

const ANSWER_CHARS = 160;
const SAID_CHARS = 2_000;

/** Lines for one line of stream-json; empty if there is nothing worth reading. */
export function readableLines(line: string): readonly string[] {
  const event = parsedObject(line);
  if (Object.keys(event).length === 0) return line.trim() === '' ? [] : [line.trim()];
  const below = asText(event['parent_tool_use_id']) === '' ? '' : '  | ';
  const blocks = asList(asObject(event['message'])['content']).filter(isObject);
  const said = (LINES[asText(event['type'])] ?? NOTHING)(event, blocks);
  return said.flatMap((one) => one.split('\n').map((text) => `${below}${text}`));
}

type Reader = (event: JsonObject, blocks: readonly JsonObject[]) => readonly string[];

const NOTHING: Reader = () => [];

const LINES: Readonly<Record<string, Reader>> = {
  assistant: (_, blocks) =>
    blocks.flatMap((block) => {
      if (block['type'] === 'tool_use')
        return [`> ${callWords(asText(block['name']), asObject(block['input']), '')}`];
      const text = asText(block['text']).trim();
      return block['type'] === 'text' && text !== '' ? [text] : [];
    }),
  user: ({ isReplay, message }, blocks) =>
    isReplay === true
      ? [`< ${asText(asObject(message)['content']).trim().slice(0, SAID_CHARS)}`]
      : answersIn(blocks),
  guard: ({ dispatch }) => [`# continues, run ${String(dispatch)} of its session`],
  result: ({ subtype, num_turns, total_cost_usd, is_error, result }) => [
    `= ${is_error === true ? `error: ${firstLine(asText(result))}` : asText(subtype)}; ${Number(num_turns ?? 0)} turns, ${Number(total_cost_usd ?? 0).toFixed(2)} USD`,
  ],
  system: (event) => {
    const shown = (name: string): string => JSON.stringify(event[name] ?? null);
    const model = asText(event['model']);
    if (event['subtype'] === 'init') return [`# begins${model === '' ? '' : `, ${model}`}`];
    if (event['subtype'] !== 'api_retry') return [];
    return [
      `# the API answered ${shown('error_status')}; attempt ${shown('attempt')} of ${shown('max_retries')}`,
    ];
  },
};

const answersIn = (blocks: readonly JsonObject[]): readonly string[] =>
  blocks
    .filter(({ type }) => type === 'tool_result')
    .map((block) => `  ${block['is_error'] === true ? 'error: ' : ''}${firstLine(answerIn(block))}`);

function answerIn({ content }: JsonObject): string {
  if (typeof content === 'string') return content;
  return asList(content)
    .map((one) => asText(asObject(one)['text']))
    .join(' ');
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n');
  const more = text.trim().length > line.length || line.length > ANSWER_CHARS;
  return `${line.slice(0, ANSWER_CHARS)}${more ? ' …' : ''}`;
}
