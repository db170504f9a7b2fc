/** Adds one note to an answer that may already have some. */
import { context, type HookOutput, SILENT } from './output.ts';

interface Said {
  readonly systemMessage?: string;
  readonly hookSpecificOutput?: { readonly additionalContext?: string };
}

export function withContext(event: string, output: HookOutput, note: string): HookOutput {
  if (output === SILENT || output.stdout === '') return { ...context(event, [note]), stderr: output.stderr };
  const said = JSON.parse(output.stdout) as Said;
  const both = context(event, [said.hookSpecificOutput?.additionalContext ?? '', note]);
  const { hookSpecificOutput: added } = JSON.parse(both.stdout) as Said;
  const hookSpecificOutput = { ...said.hookSpecificOutput, ...added };
  const stdout = `${JSON.stringify({ ...said, hookSpecificOutput })}\n`;
  return { ...both, stdout, stderr: output.stderr };
}
