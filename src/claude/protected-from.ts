/** For commands that write on an agent's behalf: why guard's hook would not let the agent write this. */
import { targetIn } from '../workspace/target-in.ts';
import { parseInput } from './input.ts';
import { openHook } from './context.ts';
import { whyRefused } from './why-refused.ts';

/** Null for an ordinary file. `bytes` is null if the file is to be removed. */
export function whyProtectedFrom(
  { file, bytes }: { readonly file: string; readonly bytes: Buffer | null },
  { env, cwd }: { readonly env: Readonly<Record<string, string | undefined>>; readonly cwd: string },
): string | null {
  const event = {
    hook_event_name: 'PreToolUse',
    tool_name: 'Write',
    tool_input: { file_path: file, content: bytes?.toString() ?? '' },
    transcript_path: '/.claude/projects/undo.jsonl',
    session_id: 'undo',
    cwd,
  };
  const input = parseInput(JSON.stringify(event), cwd, {});
  if (input === null) return 'guard cannot tell what it is.';
  const hook = openHook(input, { env, cwd, dry: true });
  try {
    return whyRefused(hook, targetIn({ cwd, env }, file));
  } finally {
    hook.close();
  }
}
