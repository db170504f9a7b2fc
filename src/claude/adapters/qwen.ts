/**
 * Qwen Code (0.24.4): Claude's events with Gemini's tools. It sends UserPromptSubmit for every request to the model; only a person's
 * prompt has `submitted_prompt`. A command with a non-zero exit code is reported as a failure, and may have written.
 */
import { asList } from '../../core/json-object.ts';
import { asFields, asText, type Fields } from '../fields.ts';
import type { Adapter } from './adapter.ts';
import { claudesTool, googlesFailure, inputOfCall, googlesResponse } from './googles.ts';
import { contextOnly, inHostsWords } from './words.ts';

export const qwen: Adapter = {
  parses_stderr: true,
  project: ({ env, cwd }) => env['QWEN_PROJECT_DIR'] || cwd,
  terms({ raw }) {
    const event = asText(raw['hook_event_name']);
    if (event === 'UserPromptSubmit' && raw['submitted_prompt'] === undefined) return null;
    // The event is sent again when the background tasks have finished.
    if (
      event === 'Stop' &&
      asList(raw['background_tasks']).some((task) => asFields(task)['status'] === 'running')
    )
      return null;
    const name = asText(raw['tool_name']);
    return name === '' ? raw : callTerms(raw, name);
  },
  answer: (output) =>
    inHostsWords(
      output,
      (path) => `read_file ${path}`,
      contextOnly(['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure', 'SubagentStart']),
    ),
};

function callTerms(raw: Fields, name: string): Fields {
  const asked = asFields(raw['tool_input']);
  const tool = claudesTool(name) ?? name;
  const error = asText(raw['error']);
  return {
    ...raw,
    tool_name: tool,
    tool_input: inputOfCall(asked),
    ...(raw['tool_response'] === undefined
      ? {}
      : { tool_response: googlesResponse(tool, asked, asFields(raw['tool_response'])) }),
    ...(error === ''
      ? {}
      : { error: tool === 'Bash' ? `Exit code 1\n${error}` : googlesFailure(tool, error) }),
  };
}
