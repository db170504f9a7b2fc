/** Entry of every command but `guard hook`; bundled as dist/cli/cli.mjs and started by bin/guard.mjs. */
import { guardVersion } from '../install/guard-root.ts';
import { run } from './program.ts';
import { processShell } from './shell.ts';

const argv = process.argv.slice(2);
process.exitCode = await run(argv, processShell(argv), guardVersion());
