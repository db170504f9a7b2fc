/** The program that a hook command starts: runs the hook's single bundled file from its compiled form. */
import fs from 'node:fs';
import { keepCompiled, load, type Program } from '../repo/compiled.ts';
import { endProcess } from '../repo/end-process.ts';
import { readSome } from './chunk.ts';
import type { Kind } from './exchange.ts';
import { requestIn } from './request.ts';

interface Main {
  readonly run: (first: Buffer, read: () => Buffer, request: string) => Kind;
  /** In a separate file. */
  readonly worktreeEvent: Main['run'];
  readonly hostEvent: Main['run'];
}

/** Runs what most uses of a file need, because its first use may need little of it. */
interface Warming {
  readonly warm?: () => void;
}

/** For one line on standard error. */
const MAX_CHARS = 400;

/**
 * The hook is built twice, with and without the code for commands, which otherwise would be five files that share much.
 * The choice affects only the time, so looking at the beginning of the event is enough.
 */
const IS_COMMAND = /"tool_name"\s*:\s*"(?:Bash|PowerShell)"/;
/** Creates a worktree and may wait for its turn; shares no event with the other hooks. */
const IS_WORKTREE = /"hook_event_name"\s*:\s*"Worktree/;
const LOOKED_AT_BYTES = 4_096;
/** An approved write: what people wait for most, and what uses most of the code. Commands mark a typical answer themselves. */
const IS_WRITE = /"hook_event_name"\s*:\s*"PreToolUse"[^{]*"tool_name"\s*:\s*"(?:Edit|Write)"/;

try {
  const program: Program = new Map();
  const first = readSome();
  const begin = first.toString('latin1', 0, LOOKED_AT_BYTES);
  // Another client's event is read and answered by a separate program (adapters/).
  const isHost = process.argv.includes('--host');
  const isWorktree = !isHost && IS_WORKTREE.test(begin);
  const [name, act] = isHost
    ? (['hook-host', 'hostEvent'] as const)
    : isWorktree
      ? (['on-use/worktree-events', 'worktreeEvent'] as const)
      : ([IS_COMMAND.test(begin) ? 'hook-command' : 'hook-main', 'run'] as const);
  const main = `${__dirname}/${name}.cjs`;
  const answer = (load(main, program) as Main)[act];
  const kind = answer(first, readSome, requestIn(process.argv));
  const isTypical = kind === 'typical' || (kind === 'silent' && IS_WRITE.test(begin));
  // Files loaded while warming are also new, and come later in the map.
  for (const { exports, isNew } of program.values()) if (isNew) (exports as Warming).warm?.();
  keepCompiled(program, (file) => isTypical || file !== main);
} catch (error) {
  // No decision: the hook entries for writes turn this into a denial (install/command.ts), and every other event
  // continues. Exit code 2 would send an agent that wants to stop back to work, again and again.
  process.exitCode = 1;
  const [cause = ''] = String(error).split('\n');
  fs.writeSync(2, `guard cannot start: ${cause.slice(0, MAX_CHARS)}. Run: guard doctor\n`);
}
endProcess(Number(process.exitCode ?? 0), __dirname);
