/**
 * GitHub Copilot CLI (1.0.102) through its own hook files. Its events have no name, so the command line gives it; calls and turns have
 * no ids; a subagent has its own session, and names the agent that started it.
 */
import { parsedObject } from '../../core/json-object.ts';
import { asFields, asText, type Fields } from '../fields.ts';
import { fromCopilot } from '../hosts/copilot.ts';
import type { Adapter } from './adapter.ts';
import { inHostsWords } from './words.ts';

const EVENTS: Readonly<Record<string, string>> = {
  sessionStart: 'SessionStart',
  userPromptSubmitted: 'UserPromptSubmit',
  preToolUse: 'PreToolUse',
  postToolUse: 'PostToolUse',
  postToolUseFailure: 'PostToolUseFailure',
  agentStop: 'Stop',
  subagentStart: 'SubagentStart',
  subagentStop: 'SubagentStop',
  sessionEnd: 'SessionEnd',
};

const TOOLS: Readonly<Record<string, string>> = { view: 'Read', edit: 'Edit', create: 'Write', bash: 'Bash' };

export const copilot: Adapter = {
  project: ({ raw, env, cwd }) => env['COPILOT_PROJECT_DIR'] || asText(raw['cwd']) || cwd,
  terms({ raw, name }) {
    const event = EVENTS[name];
    const parent = asText(raw['parentAgentId']);
    // The end of a subagent is reported twice.
    if (event === undefined || (event === 'Stop' && parent !== '')) return null;
    const tool = asText(raw['toolName']);
    return {
      ...fromCopilot({
        ...raw,
        hook_event_name: event,
        ...(parent === '' ? {} : { parent_agent_id: parent, agent_id: raw['agentId'] }),
        ...(tool === '' ? {} : { tool_name: TOOLS[tool] ?? tool, tool_input: argumentsOf(raw['toolArgs']) }),
        tool_result: { text_result_for_llm: asFields(raw['toolResult'])['textResultForLlm'] },
      }),
      // Its word for a new session.
      source: raw['source'] === 'new' ? 'startup' : raw['source'],
    };
  },
  answer: (output) =>
    inHostsWords(
      output,
      (path) => `view ${path} again`,
      ({ additionalContext, updatedInput }) =>
        additionalContext === undefined && updatedInput === undefined
          ? null
          : {
              ...(additionalContext === undefined ? {} : { additionalContext }),
              ...(updatedInput === undefined ? {} : { modifiedArgs: updatedInput }),
            },
    ),
};

/** Older versions send the arguments as JSON text. */
const argumentsOf = (given: unknown): Fields =>
  typeof given === 'string' ? parsedObject(given) : asFields(given);
