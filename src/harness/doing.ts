/** What an agent does at this moment, in a few words. Pure. */
import { retryInWords } from './api-trouble.ts';
import { callWords } from './call-words.ts';
import type { Progress } from './progress.ts';

/** Null: it thinks, or has not begun. */
export function doingOf({ retry, open, is_idle, background, cwd }: Progress): string | null {
  if (retry !== null) return retryInWords(retry);
  const call = Object.values(open).at(-1);
  if (call !== undefined) return callWords(call.tool, call.input, cwd);
  return is_idle && background.length > 0 ? `is done, but for ${background.length} in the background` : null;
}
