/** The hook process: stdin in, answer out. Together with entry.ts, the only code that a tool call waits for. */
import { writeAnswer, readStdin, workingDirectory } from './exchange.ts';
import type { ReadMore } from './chunk.ts';
import { runHook } from './hook.ts';
import { namedBy } from './repeated.ts';
import { requestIn } from './request.ts';

export { endProcess } from '../repo/end-process.ts';

/**
 * Answers one hook event, which may have been answered before. `first` is the beginning of stdin. Returns whether the event
 * ran what most events of its kind run.
 */
export function run(first: Buffer, read: ReadMore): boolean {
  const request = requestIn(process.argv);
  const named = request ? namedBy(request) : undefined;
  const around = { env: process.env, cwd: workingDirectory(), named };
  const answer = runHook(readStdin(first, read), around);
  const output = named?.completed(answer) ?? answer;
  writeAnswer(output);
  return output.is_typical === true;
}
