/**
 * opencode (1.18.33), which has plugins instead of hooks. guard's plugin (install/hosts/opencode-plugin.ts) starts a hook for each of these events
 * and passes the name, its process and, for a subagent's session, the root session.
 */
import { asFields, asText, type Fields } from '../fields.ts';
import type { Adapter } from './adapter.ts';
import { parsePatch, patchTargets } from './patch.ts';
import { inHostsWords } from './words.ts';

const EVENTS: Readonly<Record<string, readonly [main: string, sub: string]>> = {
  'event:session.created': ['SessionStart', 'SubagentStart'],
  'chat.message': ['UserPromptSubmit', 'UserPromptSubmit'],
  'tool.execute.before': ['PreToolUse', 'PreToolUse'],
  'tool.execute.after': ['PostToolUse', 'PostToolUse'],
  'event:session.idle': ['Stop', 'SubagentStop'],
  'event:session.deleted': ['SessionEnd', 'SubagentStop'],
};

const TOOLS: Readonly<Record<string, string>> = {
  read: 'Read',
  edit: 'Edit',
  write: 'Write',
  multiedit: 'MultiEdit',
  bash: 'Bash',
};

export const opencode: Adapter = {
  project: ({ raw, cwd }) => asText(raw['directory']) || cwd,
  pid: ({ raw }) => Number(raw['pid']),
  terms({ raw, name }) {
    const input = asFields(raw['input']);
    const properties = asFields(asFields(raw['event'])['properties']);
    const session = asText(
      input['sessionID'] ?? properties['sessionID'] ?? asFields(properties['info'])['id'],
    );
    const root = asText(raw['root']) || session;
    const is_sub = root !== session;
    const event = EVENTS[name]?.[is_sub ? 1 : 0];
    if (event === undefined || session === '') return null;
    const told = {
      hook_event_name: event,
      session_id: root,
      ...(is_sub ? { agent_id: session } : {}),
      cwd: asText(raw['directory']),
      source: 'startup',
      prompt: '',
    };
    const tool = asText(input['tool']);
    return tool === '' ? told : { ...told, ...callTerms(tool, input, asFields(raw['output'])) };
  },
  paths: ({ tool_name, tool_input }) =>
    tool_name === 'apply_patch' || tool_name === 'patch'
      ? patchTargets(parsePatch(asText(asFields(tool_input)['patchText'])) ?? [])
      : undefined,
  answer: (output) =>
    inHostsWords(
      output,
      (path) => `read ${path} again`,
      ({ additionalContext, updatedInput }) =>
        additionalContext === undefined && updatedInput === undefined
          ? null
          : { ...(updatedInput === undefined ? {} : { args: updatedInput }), note: additionalContext },
    ),
};

function callTerms(name: string, input: Fields, output: Fields): Fields {
  const tool = TOOLS[name] ?? name;
  // Before a call the arguments are in the output, because plugins may change them; after it they are in the input.
  const asked = asFields(input['args'] ?? output['args']);
  const path = asText(asked['filePath']);
  return {
    tool_name: tool,
    tool_use_id: asText(input['callID']),
    tool_input: { ...asked, ...(path === '' ? {} : { file_path: path }) },
    ...(output['args'] === undefined ? { tool_response: responseOf(tool, asked, output) } : {}),
  };
}

function responseOf(tool: string, asked: Fields, output: Fields): Fields {
  const metadata = asFields(output['metadata']);
  if (tool === 'Bash') return { stdout: asText(metadata['output']) || asText(output['output']) };
  if (tool === 'Read') return { type: 'text', file: shown(asFields(metadata['display'])) };
  if (tool !== 'Write') return {};
  return metadata['exists'] === true ? {} : { type: 'create', content: asked['content'], originalFile: null };
}

/** Without the last line ending. */
function shown({ text, lineStart, lineEnd }: Fields): Fields {
  if (typeof text !== 'string' || typeof lineStart !== 'number' || typeof lineEnd !== 'number') return {};
  return { content: text, startLine: lineStart, numLines: lineEnd - lineStart + 1 };
}
