/**
 * What a client passes on from a command that really ran: the hook's payload, as measured on 2.1.330 (stderr merged,
 * leading blank lines and trailing white space removed, long outputs kept elsewhere, long errors cut in the middle).
 */
import { spawnSync } from 'node:child_process';

const KEPT_CHARS = 30_000;
const FAILED_MAX_CHARS = 10_000;

export type Outcome =
  | { readonly event: 'PostToolUse'; readonly tool_response: Readonly<Record<string, unknown>> }
  | { readonly event: 'PostToolUseFailure'; readonly error: string };

export function runAsClient(command: string, cwd: string): Outcome {
  const { stdout, status } = spawnSync('bash', ['-c', `{ ${command}\n} 2>&1`], {
    cwd,
    encoding: 'utf8',
    input: '',
  });
  const text = stdout.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
  if (status !== 0) return { event: 'PostToolUseFailure', error: `Exit code ${status}\n${cut(text)}` };
  const common = { stderr: '', interrupted: false, isImage: false, noOutputExpected: false };
  const tool_response =
    text.length <= KEPT_CHARS
      ? { stdout: text, ...common }
      : { stdout: text.slice(0, KEPT_CHARS), ...common, persistedOutputPath: '/tmp/out.txt' };
  return { event: 'PostToolUse', tool_response };
}

function cut(text: string): string {
  if (text.length <= FAILED_MAX_CHARS) return text;
  const half = FAILED_MAX_CHARS / 2;
  const between = `\n\n... [${text.length - FAILED_MAX_CHARS} characters truncated] ...\n\n`;
  return text.slice(0, half) + between + text.slice(-half);
}
