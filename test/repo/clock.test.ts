import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import type { Now } from '../../src/core/types.ts';
import { deadlineAfter, readNow } from '../../src/repo/clock.ts';
import { errorOf } from './errors.ts';
import { scratchDir } from './scratch.ts';

const script = join(scratchDir(), 'now.cjs');
buildSync({
  stdin: {
    contents: `import { readNow } from './src/repo/clock.ts'; console.log(JSON.stringify(readNow()));`,
    resolveDir: join(import.meta.dirname, '../..'),
    loader: 'ts',
  },
  bundle: true,
  platform: 'node',
  outfile: script,
});

describe('the clock', () => {
  it('counts the same for two processes of one boot', () => {
    const before = readNow();
    const other = JSON.parse(execFileSync(process.execPath, [script], { encoding: 'utf8' })) as Now;
    const after = readNow();
    expect(other.boot).toBe(before.boot);
    expect(other.mono_ms).toBeGreaterThanOrEqual(before.mono_ms);
    expect(other.mono_ms).toBeLessThanOrEqual(after.mono_ms);
  });

  it.runIf(process.platform === 'linux')(
    'counts from the boot that the kernel names, in whole milliseconds',
    () => {
      const now = readNow();
      expect(now.boot).toBe(readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim());
      expect(Number.isInteger(now.mono_ms)).toBe(true);
      expect(Math.abs(now.wall_ms - Date.now())).toBeLessThan(1000);
    },
  );

  it('counts the same inside a time namespace, as some containers have one', (context) => {
    const inside = spawnSync(
      'unshare',
      ['--time', '--monotonic', '100000', '--fork', process.execPath, script],
      { encoding: 'utf8' },
    );
    if (inside.status !== 0) context.skip('time namespaces need root and Linux 5.6');
    const other = JSON.parse(inside.stdout) as Now;
    expect(Math.abs(other.mono_ms - readNow().mono_ms)).toBeLessThan(5000);
  });
});

describe('a deadline', () => {
  it('says nothing while there is time, then throws GUARD_ERR_DEADLINE at every call', () => {
    const check = deadlineAfter(30);
    expect(errorOf(check)).toBeNull();
    const end = performance.now() + 40;
    while (performance.now() < end) {
      // Busy, like a hook that reads a large file.
    }
    expect(errorOf(check)).toMatchObject({ code: 'GUARD_ERR_DEADLINE', facts: { limit_ms: 30 } });
    expect(errorOf(check)).toMatchObject({ code: 'GUARD_ERR_DEADLINE' });
  });

  it('of no time at all has passed at once', () => {
    expect(errorOf(deadlineAfter(0))).toMatchObject({ code: 'GUARD_ERR_DEADLINE' });
  });
});
