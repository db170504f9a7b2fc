/** Adds notes to an answer that may already have some. */
import type { Denial } from '../core/denial.ts';
import { context, deny, type HookOutput, SILENT } from './output.ts';

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

/** Every client shows the reason of a denial, and some show nothing else. The result is still one JSON object. */
export function withDetail(
  output: HookOutput,
  more: Readonly<Record<string, readonly string[]>>,
): HookOutput {
  const { permissionDecisionReason: reason } = JSON.parse(output.stdout) as {
    permissionDecisionReason?: string;
  };
  const denial = JSON.parse(reason ?? 'null') as Denial | null;
  return denial === null ? output : deny({ ...denial, details: { ...denial.details, ...more } });
}
