/**
 * Gemini CLI (0.61.0): its own events and tools, and no ids of calls, turns or subagents. A subagent's events belong to its session,
 * so both are one agent. A failed call has the same after-event as a successful one.
 */
import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { asFields, asText, type Fields } from '../fields.ts';
import type { Adapter } from './adapter.ts';
import { claudesTool, digestOfCall, googlesFailure, inputOfCall, googlesResponse } from './googles.ts';
import { inHostsWords } from './words.ts';

/** PreCompress is sent before every request to the model. */
const EVENTS: Readonly<Record<string, string>> = {
  SessionStart: 'SessionStart',
  BeforeAgent: 'UserPromptSubmit',
  BeforeTool: 'PreToolUse',
  AfterTool: 'PostToolUse',
  AfterAgent: 'Stop',
  SessionEnd: 'SessionEnd',
};

export const gemini: Adapter = {
  before: 'BeforeTool',
  project: ({ env, cwd }) => env['GEMINI_PROJECT_DIR'] || cwd,
  terms({ raw }) {
    const event = EVENTS[asText(raw['hook_event_name'])];
    if (event === undefined) return null;
    const told = { ...raw, hook_event_name: event };
    const name = asText(raw['tool_name']);
    return name === '' ? told : callTerms(told, name, raw);
  },
  paths: ({ tool_name, tool_input, cwd }) =>
    isGuessed(asText(tool_name), asFields(tool_input), asText(cwd)) ? [] : undefined,
  answer: (output, { event }) =>
    inHostsWords(
      output,
      (path) => `read_file ${path}`,
      ({ additionalContext, updatedInput }) => {
        const own = { hookEventName: Object.keys(EVENTS).find((name) => EVENTS[name] === event) };
        if (updatedInput !== undefined) return { hookSpecificOutput: { ...own, tool_input: updatedInput } };
        // Gemini discards the context of a before-event.
        if (additionalContext === undefined || event === 'PreToolUse') return null;
        return { hookSpecificOutput: { ...own, additionalContext } };
      },
    ),
};

/**
 * The client replaces a relative path that does not exist: an edit searches the whole workspace for the only file whose path ends with it,
 * and a leading `@` is dropped. The call does not say which file that is.
 */
function isGuessed(tool: string, { file_path, old_string }: Fields, cwd: string): boolean {
  const path = asText(file_path);
  if ((tool !== 'Edit' && tool !== 'Write') || path === '' || isAbsolute(path)) return false;
  const looks = path.startsWith('@') || (tool === 'Edit' && asText(old_string) !== '');
  return looks && !existsSync(resolve(cwd, path));
}

function callTerms(told: Fields & { readonly hook_event_name: string }, name: string, raw: Fields): Fields {
  const asked = asFields(raw['tool_input']);
  const tool = claudesTool(name) ?? name;
  const response = asFields(raw['tool_response']);
  const { error } = response;
  const dir = asText(asked['dir_path']);
  return {
    ...told,
    ...(tool === 'Bash' && dir !== '' ? { cwd: resolve(asText(raw['cwd']), dir) } : {}),
    tool_name: tool,
    tool_use_id: digestOfCall(name, asked),
    tool_input: inputOfCall(asked),
    ...(error === undefined
      ? { tool_response: googlesResponse(tool, asked, response) }
      : {
          hook_event_name:
            told.hook_event_name === 'PostToolUse' ? 'PostToolUseFailure' : told.hook_event_name,
          error: googlesFailure(tool, `${asText(asFields(error)['message'])}${asText(error)}`),
        }),
  };
}
