import { guardVersion } from '../../../install/guard-root.ts';
import type { ExitCode } from '../../exit.ts';
import { runProgram } from '../../program.ts';
import { processShell } from '../../shell.ts';

/** `guard`, `guard --help`, `guard --version`: only commander, without the files of the commands. */
const help = (argv: readonly string[]): Promise<ExitCode> =>
  runProgram(argv, processShell(argv), guardVersion());

export default help;
export { endProcess } from '../../../repo/end-process.ts';
