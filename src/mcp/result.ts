/** The answer to a client: as text and as data, or one envelope for every failure. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { type ErrorEnvelope, failureOf, withNotes } from '../operations/operation.ts';
import type { CallerWorkspace } from '../workspace/workspace.ts';
import type { Opened, Tool, ToolAnswer } from './tool.ts';

export const failedResult = (failure: ErrorEnvelope): CallToolResult => ({
  content: [textBlock(failure)],
  isError: true,
});

/** An unexpected failure is reported to the operator of the server, not to the caller. */
export function resultOfError(error: unknown, complain: (text: string) => void): CallToolResult {
  const failure = failureOf(error);
  if (failure !== null) return failedResult(failure);
  complain(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return failedResult(BUG);
}

const BUG: ErrorEnvelope = {
  error: {
    code: 'GUARD_ERR_INTERNAL',
    message: 'guard has a bug.',
    hint: 'The details are on the standard error of guard mcp.',
    facts: {},
  },
};

export const NO_TOOL = (name: string): ErrorEnvelope => ({
  error: {
    code: 'GUARD_ERR_USAGE',
    message: `There is no tool ${name.slice(0, 80)} here.`,
    hint: 'Call tools/list to see which tools are served.',
    facts: {},
  },
});

/** The answer as text and as data. A list has no room for notes, so these are a separate text. */
export function resultOf(
  { list }: Pick<Tool<never>, 'list'>,
  told: ToolAnswer,
  { workspace: { who }, is_guess }: Pick<Opened<CallerWorkspace>, 'workspace' | 'is_guess'>,
): CallToolResult {
  const { answer } = told;
  // Without the hook it is unknown which agent calls.
  const guessed = is_guess ? [`guard does not know which agent called, so this was done for ${who.id}.`] : [];
  const notes = [...told.notes, ...guessed];
  const besides = is_guess ? { agent: who.id } : {};
  if (list === null) {
    const whole = withNotes({ ...answer, ...besides }, notes);
    return { content: [textBlock(whole)], structuredContent: { ...whole } };
  }
  const more = withNotes(besides, notes);
  return {
    content: [textBlock(answer), ...(notes.length > 0 ? [textBlock(more)] : [])],
    structuredContent: { [list]: answer, ...more },
  };
}

const textBlock = (value: object): { type: 'text'; text: string } => ({
  type: 'text',
  text: JSON.stringify(value),
});
