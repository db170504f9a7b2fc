import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Tests start real `guard` processes, so the bundle must be that of the sources under test. */
export default function setup(): void {
  execFileSync(process.execPath, [join(import.meta.dirname, '../scripts/build.mjs'), '--if-needed']);
}
