import { spawnSync } from 'node:child_process';

const OUTPUT_BYTES = 64 << 20;

/** The files below `path` in git's index; none if there is no git or no repository. */
export function trackedBelow(root: string, path: string): readonly string[] {
  const run = spawnSync('git', ['-C', root, 'ls-files', '-z', '--', path], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 5_000,
    maxBuffer: OUTPUT_BYTES,
  });
  return run.status === 0 ? run.stdout.split('\0').filter((file) => file !== '') : [];
}
