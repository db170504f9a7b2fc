import type { Answer } from './scenario.ts';

/** The server-sent events of one streamed answer, as the Messages API sends them. */
export function streamOf(
  answer: Answer,
  ids: { readonly message: string; readonly tool: (index: number) => string },
  model: string,
): string {
  const events: unknown[] = [
    {
      type: 'message_start',
      message: {
        id: ids.message,
        type: 'message',
        role: 'assistant',
        model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: USAGE,
      },
    },
    ...blocks(answer, ids.tool).flatMap(({ start, delta }, index) => [
      { type: 'content_block_start', index, content_block: start },
      { type: 'content_block_delta', index, delta },
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: (answer.tools ?? []).length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: USAGE,
    },
    { type: 'message_stop' },
  ];
  return events
    .map((event) => `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
}

/** The same answer for a request that does not stream. */
export function wholeOf(answer: Answer, message: string, model: string): string {
  return JSON.stringify({
    id: message,
    type: 'message',
    role: 'assistant',
    model,
    content: [{ type: 'text', text: answer.text ?? '' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: USAGE,
  });
}

const USAGE = {
  input_tokens: 10,
  output_tokens: 10,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

interface Block {
  readonly start: unknown;
  readonly delta: unknown;
}

function blocks(answer: Answer, toolId: (index: number) => string): readonly Block[] {
  const text =
    answer.text === undefined
      ? []
      : [{ start: { type: 'text', text: '' }, delta: { type: 'text_delta', text: answer.text } }];
  const tools = (answer.tools ?? []).map(({ name, input }, index) => ({
    start: { type: 'tool_use', id: toolId(index), name, input: {} },
    delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
  }));
  return [...text, ...tools];
}
