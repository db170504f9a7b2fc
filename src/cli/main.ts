/** Entry of every command but `guard hook`; bundled as dist/cli/cli.mjs and started by bin/guard.cjs. */
import { guardRoot, guardVersion } from '../install/guard-root.ts';
import { advanceProgram } from '../install/program/settle.ts';
import { readNow } from '../repo/clock.ts';
import { runProgram } from './program.ts';
import { processShell } from './shell.ts';

const argv = process.argv.slice(2);
advanceProgram(guardRoot(), process.env, readNow().wall_ms);
process.exitCode = await runProgram(argv, processShell(argv), guardVersion());
