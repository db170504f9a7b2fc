/** Every command except `guard hook`: as the modules behind main.ts, and as one file, dist/whole.cjs. */
import { guardRoot, guardVersion } from '../install/guard-root.ts';
import { advanceProgram } from '../install/program/settle.ts';
import { readNow } from '../repo/clock.ts';
import type { ExitCode } from './exit.ts';
import { runProgram } from './program.ts';
import { processShell } from './shell.ts';

export default function runWhole(argv: readonly string[]): Promise<ExitCode> {
  advanceProgram(guardRoot(), process.env, readNow().wall_ms);
  return runProgram(argv, processShell(argv), guardVersion());
}
