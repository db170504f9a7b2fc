// An MCP server on stdio that writes files, as published file servers do: one tool with a well-known name, and one with
// a name that reveals nothing. No package: the client's own messages are all it needs.
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const text = { type: 'string' };
const tool = (name) => ({
  name,
  description: 'Writes a file.',
  inputSchema: { type: 'object', properties: { path: text, content: text }, required: ['path', 'content'] },
});

const ANSWERS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'files', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [tool('write_file'), tool('transform')] }),
  'tools/call': ({ arguments: { path, content } }) => {
    writeFileSync(path, content);
    return { content: [{ type: 'text', text: 'written' }] };
  },
  ping: () => ({}),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = ANSWERS[method];
  const said =
    answer === undefined
      ? { error: { code: -32601, message: 'no such method' } }
      : { result: answer(params) };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...said })}\n`);
});
