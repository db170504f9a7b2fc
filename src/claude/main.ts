/** The hook process: stdin in, answer out. Together with entry.ts, the only code that a tool call waits for. */
import {
  writeAnswer,
  type Kind,
  kindOfAnswer,
  type ReadMore,
  readStdin,
  workingDirectory,
} from './exchange.ts';
import { runHook } from './hook.ts';
import type { Named } from '../workspace/shared-ledger.ts';

/** Answers one hook event. `first` is the beginning of stdin. `named`: the event may have been answered before. */
export function run(first: Buffer, read: ReadMore, named?: Named): Kind {
  const output = runHook(readStdin(first, read), { env: process.env, cwd: workingDirectory(), named });
  writeAnswer(output);
  return kindOfAnswer(output);
}
