import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../core/attempt.ts';
import { shellWord } from '../../core/shell-word.ts';
import { ownStateDir } from '../../repo/clones.ts';
import { realPath } from '../../repo/real-path.ts';
import { runningServers } from '../../warm/running.ts';
import { checking, ok, warn } from '../check.ts';
import { guardSources } from '../hook-sources.ts';
import { IN_STATE, isWarmLine, launcherName } from '../warm-line.ts';
import { launcherFile } from '../warm-script.ts';

/** Whether hooks that a server may answer find one, and if not, why each of them starts Node. */
export const warmHooks = checking('warm', (patient) => {
  const lines = guardSources(patient).flatMap((source) => source.lines);
  if (!lines.some(({ command }) => isWarmLine(command))) return [];
  const { repo, guard_root } = patient;
  const launcher = launcherName();
  const wanted = [
    ...(launcher === 'warm' ? ['/usr/bin/perl'] : []),
    ...(lines.some(({ command }) => /^W="/.test(command))
      ? [join(ownStateDir(repo), launcherFile(IN_STATE))]
      : []),
    join(guard_root, 'dist', launcherFile(launcher)),
  ];
  const missing = wanted.find((file) => !existsSync(file));
  if (missing !== undefined)
    return warn(`Every hook starts Node: ${missing} is missing`, {
      facts: { missing },
      hint: missing.endsWith('perl')
        ? 'Install perl, or run: guard init --no-warm'
        : 'Run: guard init --warm',
    });
  const lame = wanted.find((file) => !file.endsWith('.pl') && !isRunnable(file));
  if (lame !== undefined)
    return warn(`Every hook starts Node: ${lame} cannot be executed`, {
      facts: { not_executable: lame },
      hint: `Is its file system mounted "noexec"? If not, run: chmod +x ${shellWord(realPath(lame))}`,
    });
  const servers = runningServers(ownStateDir(repo));
  const facts = { servers: servers.map(({ build, pid }) => `${build} ${pid ?? ''}`.trim()) };
  if (servers.length === 0) return ok('Hooks are warm: the next one starts the server', { facts });
  const pids = servers.map(({ pid }) => pid ?? 'unknown').join(', ');
  return ok(`Hooks are answered by a server (process ${pids})`, { facts });
});

/** As the hook's command line checks: the bit is set, and the file system is not mounted `noexec`. */
const isRunnable = (file: string): boolean => attempt(() => (accessSync(file, constants.X_OK), true), false);
