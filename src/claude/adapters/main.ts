/** The hook process of another client: `guard hook --host NAME [EVENT]`. Claude Code's own path (claude/main.ts) loads none of this. */
import type { ReadMore } from '../chunk.ts';
import { writeAnswer, readStdin, workingDirectory } from '../exchange.ts';
import { runHostHook } from './host-hook.ts';
import { adapterOf, ADAPTERS } from './index.ts';

export { endProcess } from '../../repo/end-process.ts';

export function hostEvent(first: Buffer, read: ReadMore): boolean {
  const [host = '', name = ''] = process.argv.slice(process.argv.indexOf('--host') + 1);
  const row = adapterOf(host);
  if (row === undefined)
    throw new Error(`--host is one of ${Object.keys(ADAPTERS).join(', ')}, not "${host}"`);
  const asked = { host: row[0], adapter: row[1], name };
  const output = runHostHook(asked, readStdin(first, read), { env: process.env, cwd: workingDirectory() });
  writeAnswer(output);
  return output.is_typical === true;
}
