/** What an agent is doing at this moment, in a few words. Pure. */
import { retryInWords } from './api-trouble.ts';
import { callWords } from './call-words.ts';
import type { Progress } from './progress.ts';

/** `null` if it is thinking or has not begun. */
export function doingOf({ retry, open, is_idle, background, cwd, report }: Progress): string | null {
  if (retry !== null) return retryInWords(retry);
  const call = Object.values(open).at(-1);
  if (call !== undefined) return callWords(call.tool, call.input, cwd);
  if (!is_idle || background.length === 0) return null;
  const how = report === null ? 'waits for' : 'is done, but for';
  return `${how} ${background.length} in the background`;
}
