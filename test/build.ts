import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Tests start real `guard` processes, so the bundle must match the sources under test. */
export default function setup(): () => void {
  build();
  return shareServers();
}

function build(): void {
  if (process.env['GUARD_SKIP_BUILD'] !== undefined) return;
  const script = join(import.meta.dirname, '../scripts/build.mjs');
  const { status } = spawnSync(process.execPath, [script, '--if-needed'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the build failed');
}

/** Where this run's test files find servers that others started (test/store/postgres/shared.ts). Removed at its end. */
function shareServers(): () => void {
  if (process.env['GUARD_TEST_RUN'] !== undefined) return () => undefined;
  const run = mkdtempSync(join(tmpdir(), 'guard-run-'));
  Object.assign(process.env, { GUARD_TEST_RUN: run, GUARD_TEST_RUN_PID: String(process.pid) });
  return () => {
    for (const name of readdirSync(run).filter((one) => one.endsWith('.json'))) {
      const { dir } = JSON.parse(readFileSync(join(run, name), 'utf8')) as { readonly dir: string };
      const pid = readFileSync(join(dir, 'pid'), 'utf8').trim();
      spawnSync('kill', ['-QUIT', pid]);
      rmSync(dir, { recursive: true, force: true });
    }
    rmSync(run, { recursive: true, force: true });
  };
}
