/** What a hook command starts: runs the hook's one bundled file from its compiled form. */
import fs from 'node:fs';
import { keepCompiled, load, type Program } from '../repo/compiled.ts';
import { readSome } from './chunk.ts';
import type { Kind } from './exchange.ts';
import { requestIn } from './request.ts';
import type { Named } from '../workspace/shared-ledger.ts';

interface Main {
  readonly run: (first: Buffer, read: () => Buffer, named: Named | undefined) => Kind;
  /** Of its own file. */
  readonly worktreeEvent: Main['run'];
  readonly hostEvent: Main['run'];
}

/** What most of a file's uses run, where its first use may be a small one. */
interface Warming {
  readonly warm?: () => void;
}

/** Of one line on standard error. */
const MAX_CHARS = 400;

/**
 * The hook, and the same with what surrounds a command in it, which else is five files that share much. Which of them runs
 * changes nothing but the time, so a look at how the event begins is enough.
 */
const IS_COMMAND = /"tool_name"\s*:\s*"(?:Bash|PowerShell)"/;
/** Makes a worktree and may wait for its turn: no event that hooks have in common with it. */
const IS_WORKTREE = /"hook_event_name"\s*:\s*"Worktree/;
const LOOKED_AT_BYTES = 4_096;
/** A write about to happen, and let through: what people wait for most, and what uses most of the code. Of commands the event says it. */
const IS_WRITE = /"hook_event_name"\s*:\s*"PreToolUse"[^{]*"tool_name"\s*:\s*"(?:Edit|Write)"/;

try {
  const program: Program = new Map();
  const first = readSome();
  const begin = first.toString('latin1', 0, LOOKED_AT_BYTES);
  // Another client's event is read and answered by a program of its own (adapters/).
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
  // What one loads while it is warmed is new too, and behind it in the map.
  for (const { exports, isNew } of program.values()) if (isNew) (exports as Warming).warm?.();
  keepCompiled(program, (file) => isTypical || file !== main);
} catch (error) {
  // No decision: the entries for writes make a denial of it (install/command.ts), every other event goes on. Exit code 2
  // would send an agent that wants to stop back to work, again and again.
  process.exitCode = 1;
  const [cause = ''] = String(error).split('\n');
  fs.writeSync(2, `guard cannot start: ${cause.slice(0, MAX_CHARS)}. Run: guard doctor\n`);
}
// All is written and closed: what Node would tidy up now costs 2 to 3 ms (docs/decisions/002).
process.exit();
