import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { procReader, rowsOfProc } from '../../src/harness/proc-table.ts';

/** Empty for a process that has ended meanwhile. */
const statusOf = (pid: number): readonly string[] => {
  try {
    return [readFileSync(`/proc/${pid}/status`, 'utf8')];
  } catch {
    return [];
  }
};
const rowOf = (pid: number) => rowsOfProc(procReader()).find((row) => row.pid === pid);

describe.skipIf(process.platform !== 'linux')('the processes of this machine', () => {
  it('have the parent that started them', () => {
    expect(rowOf(process.pid)).toEqual({ pid: process.pid, parent: process.ppid });
  });

  it('are not those of the kernel, whose parent is the process of no program', () => {
    const all = rowsOfProc(procReader()).flatMap(({ pid }) => statusOf(pid));
    expect(all.length).toBeGreaterThan(2);
    expect(all.filter((status) => /^Kthread:\s*1$/m.test(status))).toEqual([]);
  });

  it('are read to their end, however much there is', () => {
    const environment = Object.fromEntries(
      Array.from({ length: 4 }, (_, n) => [`LONG_${n}`, 'x'.repeat(60_000)]),
    );
    const child = spawn('sleep', ['60'], {
      env: { ...environment, PATH: process.env['PATH'], Z_LAST: 'here' },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const text = procReader()(`/proc/${child.pid ?? 0}/environ`);
    expect(text.split('\0')).toContain('Z_LAST=here');
    expect(text.length).toBeGreaterThan(240_000);
  });

  it('are nothing once they are gone', () => {
    expect(procReader()('/proc/0/stat')).toBe('');
  });
});
