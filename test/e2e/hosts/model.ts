/** A scripted model for other clients: OpenAI's Responses and Chat Completions, and Gemini's generateContent. */
import { createHash } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Call {
  readonly tool: string;
  readonly input: object | string;
}

/** What the model says to one request; `first` runs before the answer, and may kill the client. */
export interface Turn {
  readonly says: readonly Call[];
  readonly first?: (kill: () => void) => void;
}

export interface Model {
  readonly port: number;
  /** Everything that the client sent, as text. */
  readonly heard: () => string;
  readonly close: () => void;
}

type Json = Record<string, unknown>;

interface Api {
  readonly at: RegExp;
  readonly asked: (body: Json) => unknown;
  readonly answer: (calls: readonly Call[], stream: boolean, seq: number) => string;
}

const event = (data: unknown, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

const END = 'all done';
const idOf = (seq: number, nth: number): string => `call_${seq}_${nth}`;

const APIS: readonly Api[] = [
  {
    at: /\/responses$/,
    asked: (body) => body['input'],
    answer: (calls, _stream, seq) => {
      const items = calls.map(({ tool, input }, nth) =>
        typeof input === 'string'
          ? { type: 'custom_tool_call', id: `i${seq}${nth}`, call_id: idOf(seq, nth), name: tool, input }
          : {
              type: 'function_call',
              id: `i${seq}${nth}`,
              call_id: idOf(seq, nth),
              name: tool,
              arguments: JSON.stringify(input),
            },
      );
      const text = {
        type: 'message',
        role: 'assistant',
        id: `m${seq}`,
        content: [{ type: 'output_text', text: END }],
      };
      const usage = {
        input_tokens: 1,
        input_tokens_details: null,
        output_tokens: 1,
        output_tokens_details: null,
        total_tokens: 2,
      };
      const told = [
        { type: 'response.created', response: { id: `r${seq}` } },
        ...(items.length > 0 ? items : [text]).map((item, nth) => ({
          type: 'response.output_item.done',
          output_index: nth,
          item,
        })),
        { type: 'response.completed', response: { id: `r${seq}`, usage } },
      ];
      return told.map((one) => event(one, one.type)).join('');
    },
  },
  {
    at: /\/chat\/completions$/,
    asked: (body) => (body['messages'] as Json[]).filter(({ role }) => role !== 'system'),
    answer: (calls, stream, seq) => {
      const tool_calls = calls.map(({ tool, input }, index) => ({
        index,
        id: idOf(seq, index),
        type: 'function',
        function: { name: tool, arguments: JSON.stringify(input) },
      }));
      const content = calls.length === 0 ? END : '';
      const finish_reason = calls.length === 0 ? 'stop' : 'tool_calls';
      const message = { role: 'assistant', content, ...(calls.length === 0 ? {} : { tool_calls }) };
      const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
      const whole = { id: `c${seq}`, created: 1, model: 'mock' };
      if (!stream)
        return JSON.stringify({
          ...whole,
          object: 'chat.completion',
          choices: [{ index: 0, message, finish_reason }],
          usage,
        });
      const chunk = (delta: object, end: string | null = null): string =>
        event({
          ...whole,
          object: 'chat.completion.chunk',
          choices: [{ index: 0, delta, finish_reason: end }],
          usage,
        });
      return `${chunk(message)}${chunk({}, finish_reason)}${event('[DONE]')}`;
    },
  },
  {
    at: /:(?:stream)?[gG]enerateContent$/,
    asked: (body) => body['contents'],
    answer: (calls, stream, seq) => {
      const parts = calls.map(({ tool, input }, nth) => ({
        functionCall: { id: idOf(seq, nth), name: tool, args: input },
      }));
      const content = { role: 'model', parts: parts.length > 0 ? parts : [{ text: END }] };
      const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
      const whole = {
        candidates: [{ content, finishReason: 'STOP', index: 0 }],
        usageMetadata,
        modelVersion: 'mock',
      };
      return stream ? event(whole) : JSON.stringify(whole);
    },
  },
];

/** Listens on loopback only. Requests without tools are the client's own; a repeated request gets the same answer. */
export async function startModel(turns: readonly Turn[], kill: () => void): Promise<Model> {
  const heard: string[] = [];
  const known = new Map<string, readonly Call[]>();
  const says = (body: Json, asked: unknown): readonly Call[] => {
    const hasTools = Array.isArray(body['tools']) && body['tools'].length > 0;
    if (!hasTools) return [];
    const digest = createHash('sha1').update(JSON.stringify(asked)).digest('hex');
    const again = known.get(digest);
    if (again !== undefined) return again;
    const turn = turns[known.size];
    turn?.first?.(kill);
    const calls = turn?.says ?? [];
    known.set(digest, calls);
    return calls;
  };
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = request.url ?? '';
      const text = Buffer.concat(chunks).toString();
      const [path = ''] = url.split('?');
      const api = APIS.find(({ at }) => at.test(path));
      if (api === undefined) {
        response.writeHead(/models$|countTokens/.test(path) ? 200 : 404, {
          'content-type': 'application/json',
        });
        response.end('{"object":"list","data":[{"id":"mock","object":"model"}],"totalTokens":1}');
        return;
      }
      heard.push(text);
      const body = JSON.parse(text) as Json;
      const stream = path.endsWith('/responses') || body['stream'] === true || path.includes(':stream');
      const type = stream ? 'text/event-stream' : 'application/json';
      response.writeHead(200, { 'content-type': type });
      response.end(api.answer(says(body, api.asked(body)), stream, heard.length));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    heard: () => heard.join('\n'),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
