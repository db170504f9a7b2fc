import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Tests start real `guard` processes, so the bundle must be that of the sources under test. */
export default function setup(): void {
  if (process.env['GUARD_SKIP_BUILD'] !== undefined) return;
  const script = join(import.meta.dirname, '../scripts/build.mjs');
  const { status } = spawnSync(process.execPath, [script, '--if-needed'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the build failed');
}
