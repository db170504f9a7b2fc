/** One line of a transcript, as far as it concerns guard. Every field may be missing or of another type. */
import { attempt } from '../../core/attempt.ts';
import { asList } from '../../core/json-object.ts';
import { asFields, textField, type Fields } from '../../claude/input.ts';
import { isFields, stringIn } from '../../claude/text/field.ts';
import type { CallResult, Teller } from './happening.ts';

export interface ToldLine {
  readonly at_ms: number;
  readonly by: Teller;
  readonly cwd: string;
  readonly uuid: string;
  /** The id of the prompt that the line belongs to; '' in older clients. */
  readonly prompt: string;
  readonly is_prompt: boolean;
  readonly is_rest: boolean;
  /** The answer that its calls belong to, which may span several lines; '' without calls. */
  readonly batch: string;
  readonly calls: readonly { readonly id: string; readonly tool: string; readonly input: Fields }[];
  readonly results: readonly (CallResult & { readonly id: string })[];
}

/** Cheap, and true for every relevant line; some irrelevant lines may match as well. */
const CONCERNS = /"type":\s?"(?:user|assistant)"/;

/** Text that the client itself added to the conversation: the output of its own commands, and its notes about them. */
const OWN_WORDS =
  /^\s*<(?:command-name|command-message|local-command-\w+|task-notification|bash-(?:input|stdout|stderr))>/;
const STOPPED = /^\[Request interrupted/;
/** Stop reasons of an answer that does not end the turn. Null in some versions, where only a call shows that it continues. */
const GOES_ON = new Set(['tool_use', 'pause_turn', 'max_tokens']);

/** Null if it does not concern guard; undefined if it is not a JSON object. */
export function toldIn(text: string, file_session: string): ToldLine | null | undefined {
  if (!CONCERNS.test(text)) return isJsonLike(text) ? null : undefined;
  const line = attempt<Fields | undefined>(() => {
    const parsed: unknown = JSON.parse(text);
    return isFields(parsed) ? parsed : undefined;
  }, undefined);
  if (line === undefined) return undefined;
  const at_ms = Date.parse(textField(line, 'timestamp'));
  const { type } = line;
  if ((type !== 'user' && type !== 'assistant') || !Number.isFinite(at_ms)) return null;
  const message = asFields(line['message']);
  const blocks = asList(message['content']).map(asFields);
  const head = {
    at_ms,
    by: tellerOf(line, file_session),
    cwd: textField(line, 'cwd'),
    uuid: textField(line, 'uuid'),
    prompt: textField(line, 'promptId'),
  };
  return type === 'assistant'
    ? { ...head, ...answered(message, blocks) }
    : { ...head, ...asked(line, blocks) };
}

/** Of lines of other kinds only the frame is checked: some contain megabytes of snapshots. */
const isJsonLike = (text: string): boolean => text.startsWith('{') && text.trimEnd().endsWith('}');

/** Lines of subagents are in separate files, or up to 2.0, without a name, among those of their session. */
function tellerOf(line: Fields, file_session: string): Teller {
  const session = textField(line, 'sessionId') || file_session;
  const agent = textField(line, 'agentId') || (line['isSidechain'] === true ? 'sidechain' : null);
  return { session, agent };
}

type Said = Pick<ToldLine, 'is_prompt' | 'is_rest' | 'batch' | 'calls' | 'results'>;

function answered(message: Fields, blocks: readonly Fields[]): Said {
  const calls = blocks
    .filter(({ type }) => type === 'tool_use')
    .map((block) => ({
      id: textField(block, 'id'),
      tool: textField(block, 'name'),
      input: asFields(block['input']),
    }));
  const { stop_reason } = message;
  const is_last = calls.length === 0 && blocks.some(({ type }) => type === 'text');
  const is_rest = is_last && !(typeof stop_reason === 'string' && GOES_ON.has(stop_reason));
  const batch = calls.length === 0 ? '' : textField(message, 'id');
  return { is_prompt: false, is_rest, batch, calls, results: [] };
}

function asked(line: Fields, blocks: readonly Fields[]): Said {
  const { toolUseResult: response } = line;
  const found = blocks.filter(({ type }) => type === 'tool_result');
  const results = found.map((block) => ({
    id: textField(block, 'tool_use_id'),
    // The line has one result for all of its blocks, without saying which one it belongs to.
    response: isFields(response) && found.length === 1 ? response : null,
    text: shownText(block['content']),
    is_error: block['is_error'] === true,
  }));
  const words = promptOf(line, blocks);
  const is_stop = STOPPED.test(words);
  const is_prompt = words !== '' && !is_stop && !OWN_WORDS.test(words);
  return { is_prompt, is_rest: is_stop, batch: '', calls: [], results };
}

/** Empty if no person wrote it: the summary of a compaction, or text that the client adds by itself. */
function promptOf(line: Fields, blocks: readonly Fields[]): string {
  if (line['isMeta'] === true || line['isCompactSummary'] === true) return '';
  const { content } = asFields(line['message']);
  if (typeof content === 'string') return content;
  const [first] = blocks.filter(({ type }) => type === 'text');
  return first === undefined ? '' : (stringIn(first, 'text') ?? '');
}

function shownText(content: unknown): string {
  if (typeof content === 'string') return content;
  return asList(content)
    .map(asFields)
    .flatMap((block) => (block['type'] === 'text' ? [stringIn(block, 'text') ?? ''] : []))
    .join('\n');
}
