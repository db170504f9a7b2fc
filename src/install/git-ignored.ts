import { spawnSync } from 'node:child_process';

/** Whether git would ignore `path`; false if there is no git or no repository. */
export function isGitIgnored(root: string, path: string): boolean {
  const run = spawnSync('git', ['-C', root, 'check-ignore', '--quiet', path], {
    stdio: 'ignore',
    timeout: 5_000,
  });
  return run.status === 0;
}
