// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The output of a system program, given by absolute path, or null. Loaded on use: node:child_process costs 3 ms cold. */
export function runForOutput(program: string, args: readonly string[]): string | null {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  // Locale and time zone affect how ps prints dates; PATH and the rest of the environment are not needed.
  const env = { LC_ALL: 'C', TZ: 'UTC' };
  const run = spawnSync(program, args, {
    encoding: 'utf8',
    timeout: 2000,
    stdio: ['ignore', 'pipe', 'ignore'],
    env,
  });
  return run.status === 0 ? run.stdout.trim() || null : null;
}
