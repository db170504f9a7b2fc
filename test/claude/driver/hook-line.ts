/** A hook line from the settings, run as the client's shell would. */
import fs from 'node:fs';
import { delimiter, join } from 'node:path';
import { failClosed, LAUNCHER, PROJECT_HOOK_COMMAND } from '../../../src/install/command.ts';
import { type Env, type Finished, runNow } from './process.ts';
import { canWarm } from './warm.ts';

export interface Around {
  readonly cwd: string;
  readonly env: Env;
  readonly stdin: string | Buffer;
  readonly timeout_ms?: number;
}

/**
 * The line that `guard init` writes into a project needs neither a shell nor a new process if `node` is this Node and
 * the launcher the one under test: see warm.ts. test/install runs such lines in shells.
 */
export function runLine(line: string, around: Around): Finished {
  const project = around.env['CLAUDE_PROJECT_DIR'] ?? '';
  const request = { ...around, args: [join(project, LAUNCHER)] };
  const isOurs = project !== '' && [PROJECT_HOOK_COMMAND, failClosed(PROJECT_HOOK_COMMAND)].includes(line);
  if (!isOurs || !isFirst(around.env['PATH']) || !canWarm(request))
    return runNow({ ...around, program: '/bin/sh', args: ['-c', line] });
  const ended = runNow(request);
  // The message that only the shell line prints.
  const isShells = ![0, 2].includes(ended.exit ?? 1) && line !== PROJECT_HOOK_COMMAND;
  return isShells ? { ...ended, exit: 2, stderr: `${ended.stderr}${DID_NOT_START}` } : ended;
}

const DID_NOT_START = 'guard did not start: run guard doctor\n';

function isFirst(path = ''): boolean {
  const first = path.split(delimiter).find((dir) => fs.existsSync(join(dir, 'node')));
  return first !== undefined && join(first, 'node') === process.execPath;
}
