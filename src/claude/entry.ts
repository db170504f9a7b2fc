/** The program that a hook command starts: runs the hook's single bundled file from its compiled form. */
import fs from 'node:fs';
import { keepCompiled, load, type Program } from '../repo/compiled.ts';
import { readSome } from './chunk.ts';

/**
 * What may be in a bundle is: this file has no compiled form, so each of its functions is compiled when it runs, which takes
 * longer than running it.
 */
interface Main {
  /** Returns whether the event ran what most events of its kind run. */
  readonly run: (first: Buffer, read: () => Buffer) => boolean;
  /** In a separate file. */
  readonly worktreeEvent: Main['run'];
  readonly hostEvent: Main['run'];
  readonly endProcess: (code: number) => never;
}

/** For one line on standard error. */
const MAX_CHARS = 400;

const LOOKED_AT_BYTES = 4_096;

/**
 * The first value of a field, if it is text. Searched for as text: a pattern is compiled for its one use, to machine code
 * if the text is as long as this (docs/decisions/294). A wrong answer costs time only, as no answer depends on the bundle.
 */
function valueIn(begin: string, field: string): string {
  const at = begin.indexOf(field);
  const from = at < 0 ? 0 : begin.indexOf('"', at + field.length) + 1;
  return from === 0 ? '' : begin.slice(from, begin.indexOf('"', from));
}

type Choice = readonly [name: string, act: Exclude<keyof Main, 'endProcess'>, use?: string];

/**
 * The hook is built three times: with the code for commands, with the code for what follows a write or a Read, and with
 * neither. As separate files these would share much, and each have a copy of it. What follows a Read is other code than what
 * follows a write, so it has its own compiled form.
 */
function programFor(event: string, tool: string): Choice {
  // Another client's event is read and answered by a separate program (adapters/).
  if (process.argv.includes('--host')) return ['hook-host', 'hostEvent'];
  // Creates a worktree and may wait for its turn; shares no event with the other hooks.
  if (event.startsWith('Worktree')) return ['on-use/worktree-events', 'worktreeEvent'];
  if (tool === 'Bash' || tool === 'PowerShell') return ['hook-command', 'run'];
  if (event === 'PostToolUse') return ['hook-after', 'run', tool === 'Read' ? '-read' : ''];
  return ['hook-main', 'run'];
}

try {
  const program: Program = new Map();
  const first = readSome();
  const begin = first.toString(undefined, 0, LOOKED_AT_BYTES);
  const [name, act, use] = programFor(valueIn(begin, '"hook_event_name"'), valueIn(begin, '"tool_name"'));
  const file = `${__dirname}/${name}.cjs`;
  const main = load(file, program, use) as Main;
  const is_typical = main[act](first, readSome);
  // A loop, so that a process in which nothing is new compiles no other function.
  for (const { isNew } of program.values())
    if (isNew) {
      keepCompiled(program, (one) => is_typical || one !== file);
      break;
    }
  main.endProcess(Number(process.exitCode ?? 0));
} catch (error) {
  // No decision: the hook entries for writes turn this into a denial (install/command.ts), and every other event
  // continues. Exit code 2 would send an agent that wants to stop back to work, again and again.
  const [cause = ''] = String(error).split('\n');
  fs.writeSync(2, `guard cannot start: ${cause.slice(0, MAX_CHARS)}. Run: guard doctor\n`);
  process.exit(1);
}
