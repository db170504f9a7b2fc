/** `guard serve --hooks` and `--stop`: the server that answers hooks (docs/warm.md). */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { guardRoot } from '../../install/guard-root.ts';
import { ownStateDir } from '../../repo/clones.ts';
import { stopServers } from '../../warm/running.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { workspaceAround } from '../workspace.ts';
import type { Shell } from '../shell.ts';

export interface HookServing {
  readonly hooks?: boolean;
  readonly stop?: boolean;
  readonly json?: boolean;
}

export function serveHooks({ stop, json }: HookServing, shell: Shell): Promise<ExitCode> {
  return stop === true ? stopAll(shell, json === true) : serveUntilStopped(shell);
}

/** Also ends when it has not been asked for a while. */
async function serveUntilStopped(shell: Shell): Promise<ExitCode> {
  const { repo } = workspaceAround(shell);
  const program = join(guardRoot(), 'dist', 'serve-hooks.cjs');
  const child = spawn(process.execPath, [program, ownStateDir(repo), repo.root], { stdio: 'inherit' });
  const code = await new Promise((resolve) => child.once('close', resolve));
  return code === 0 ? EXIT.yes : EXIT.no;
}

async function stopAll(shell: Shell, is_json: boolean): Promise<ExitCode> {
  const { repo } = workspaceAround(shell);
  const stopped = await stopServers(ownStateDir(repo));
  if (is_json) shell.json({ stopped });
  else if (stopped.length === 0) shell.err('No server answers hooks here.\n');
  else shell.err(`Stopped: process ${stopped.join(', ')}\n`);
  return EXIT.yes;
}
