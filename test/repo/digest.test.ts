import { createHash } from 'node:crypto';
import { spawn, execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  ftruncateSync,
  closeSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deadlineAfter } from '../../src/repo/clock.ts';
import { type DiskFact, digestBytes, digestFile } from '../../src/repo/digest.ts';
import { errorOf } from './errors.ts';
import { put, scratchDir } from './scratch.ts';

const dir = scratchDir();
const noDeadline = (): void => undefined;
const look = (file: string, want_bytes = false): DiskFact =>
  digestFile(file, { deadline: noDeadline, want_bytes });
const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** Before Linux 6.13, two changes within one timer tick have the same ctime, and no stat can distinguish them. */
function hasFineTimes(): boolean {
  const file = put(join(dir, 'ticks'));
  const times = Array.from({ length: 20 }, () => {
    appendFileSync(file, 'x');
    return statSync(file, { bigint: true }).ctimeNs;
  });
  return new Set(times).size === times.length;
}

describe('a regular file', () => {
  it('of any size around the limits gets the SHA-256 of its bytes', () => {
    for (const size of [0, 1, 262_143, 262_144, 262_145, 1_048_575, 1_048_576, 1_048_577, 3_000_001]) {
      const bytes = Buffer.alloc(size, `${size}`);
      const file = join(dir, `size-${size}`);
      writeFileSync(file, bytes);
      expect(look(file)).toMatchObject({ state: 'file', digest: sha256(bytes), size });
      const wanted = look(file, true);
      expect(wanted.digest).toBe(sha256(bytes));
      expect(wanted.bytes?.equals(bytes)).toBe(true);
    }
    expect(look(join(dir, 'size-0')).digest).toBe(EMPTY);
  });

  it('with any bytes: NUL, CRLF, BOM, invalid UTF-8', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
        writeFileSync(join(dir, 'any'), bytes);
        expect(look(join(dir, 'any')).digest).toBe(sha256(Buffer.from(bytes)));
        expect(digestBytes(bytes)).toBe(sha256(Buffer.from(bytes)));
      }),
    );
  });

  it('keeps its times in milliseconds, and its bytes only when they are asked for', () => {
    const file = put(join(dir, 'times'), 'x');
    utimesSync(file, 1, 1_700_000_000.25);
    const fact = look(file);
    expect(fact).toMatchObject({ mtime_ms: 1_700_000_000_250, ctime_ms: Math.floor(statSync(file).ctimeMs) });
    expect(fact).not.toHaveProperty('bytes');
  });

  it('over 16 MiB is digested, but not handed back', () => {
    const file = join(dir, 'large');
    const fd = openSync(file, 'w');
    ftruncateSync(fd, (16 << 20) + 1);
    closeSync(fd);
    const fact = look(file, true);
    expect(fact).toMatchObject({ state: 'file', digest: sha256(Buffer.alloc((16 << 20) + 1)) });
    expect(fact).not.toHaveProperty('bytes');
    rmSync(file);
  });

  it.skipIf(process.getuid?.() === 0)('that may not be read is unreadable, with its errno', () => {
    const file = put(join(dir, 'secret'), 'x');
    chmodSync(file, 0o000);
    expect(look(file)).toMatchObject({ state: 'unreadable', digest: null, error: 'EACCES' });
  });

  it('of mode 0444 is read as any other', () => {
    const file = put(join(dir, 'read-only'), 'x');
    chmodSync(file, 0o444);
    expect(look(file).digest).toBe(sha256('x'));
  });
});

describe('what is not a regular file is never opened', () => {
  it('nothing there, also below a file', () => {
    put(join(dir, 'plain'), 'x');
    const nothing = { state: 'missing', digest: null, size: 0 };
    expect(look(join(dir, 'none'))).toMatchObject(nothing);
    expect(look(join(dir, 'plain/below'))).toMatchObject(nothing);
  });

  it('directory, FIFO without a writer, device', () => {
    mkdirSync(join(dir, 'directory'));
    execFileSync('mkfifo', [join(dir, 'fifo')]);
    expect(look(join(dir, 'directory')).state).toBe('directory');
    expect(look(join(dir, 'fifo')).state).toBe('special');
    expect(look('/dev/zero').state).toBe('special');
  });

  it('a link in the place of the canonical file is unreadable: nobody knows where it leads', () => {
    symlinkSync('plain', join(dir, 'link'));
    expect(look(join(dir, 'link'))).toMatchObject({ state: 'unreadable', error: 'ELOOP' });
  });

  it('a file that the kernel makes up while it is read is special', () => {
    if (process.platform === 'linux') expect(look('/proc/self/status').state).toBe('special');
  });
});

describe('a file that changes while it is read', () => {
  /** Calls `change` during the n-th look, when the deadline is checked between two chunks. */
  function during(file: string, change: (step: number) => void): unknown {
    let step = 0;
    const deadline = (): void => {
      change(step++);
    };
    return errorOf(() => digestFile(file, { deadline })) ?? digestFile(file, { deadline: noDeadline });
  }

  it('on and on is GUARD_ERR_UNSTABLE after three tries, not a digest of neither version', () => {
    const file = put(join(dir, 'growing'), 'x'.repeat(600_000));
    let steps = 0;
    const failure = during(file, (step) => {
      steps = step;
      appendFileSync(file, 'y');
    });
    expect(failure).toMatchObject({ code: 'GUARD_ERR_UNSTABLE', facts: { path: file } });
    expect(steps).toBeLessThan(30);
  });

  it('once is read again', () => {
    for (const want_bytes of [false, true]) {
      const file = put(join(dir, 'once'), 'x'.repeat(2_000_000));
      let step = 0;
      const deadline = (): void => {
        if (step++ === 3) writeFileSync(file, 'new');
      };
      expect(digestFile(file, { deadline, want_bytes })).toMatchObject({
        state: 'file',
        digest: sha256('new'),
        size: 3,
      });
    }
  });

  it('by a rename over it, of the same size and times, is seen all the same', () => {
    const file = put(join(dir, 'replaced'), 'a'.repeat(600_000));
    utimesSync(file, 5, 5);
    let step = 0;
    const deadline = (): void => {
      if (step++ !== 2) return;
      const other = put(join(dir, 'other'), 'b'.repeat(600_000));
      utimesSync(other, 5, 5);
      renameSync(other, file);
    };
    expect(digestFile(file, { deadline }).digest).toBe(sha256('b'.repeat(600_000)));
  });

  it('by being removed and made anew is the new one, not missing', () => {
    const file = put(join(dir, 'anew'), 'a'.repeat(600_000));
    let step = 0;
    const deadline = (): void => {
      if (step === 2) unlinkSync(file);
      if (step === 5) writeFileSync(file, 'new');
      step++;
    };
    expect(digestFile(file, { deadline })).toMatchObject({ state: 'file', digest: sha256('new') });
  });

  it('by being removed is missing; by being replaced with a FIFO is special', () => {
    for (const [name, replace, state] of [
      ['removed', () => undefined, 'missing'],
      ['turned', (file: string) => execFileSync('mkfifo', [file]), 'special'],
    ] as const) {
      const file = put(join(dir, name), 'a'.repeat(600_000));
      let step = 0;
      const deadline = (): void => {
        if (step++ !== 2) return;
        unlinkSync(file);
        replace(file);
      };
      expect(digestFile(file, { deadline }).state).toBe(state);
    }
  });

  it.runIf(hasFineTimes())(
    'by another process the whole time never yields a digest of bytes that were never there together',
    async () => {
      const file = join(dir, 'flipping');
      const gap = 'x'.repeat(349_999);
      const content = (marks: string): string => marks.split('').join(gap);
      writeFileSync(file, content('aaa'));
      // One byte at a time, from the end: a reader may see half of a longer write, which no times would reveal.
      const script = `const fs=require('fs');const fd=fs.openSync(${JSON.stringify(file)},'r+');
      for(let i=0;;i++){const c=i%2?'a':'b';for(const at of [700000,350000,0])fs.writeSync(fd,c,at);
      if(i%21===0)Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,i%7);}`;
      const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
      try {
        await new Promise((started) => setTimeout(started, 100));
        const seen = new Set<string | null>();
        // On a busy machine the writer may not run for a while.
        const end = Date.now() + 30_000;
        for (let i = 0; i < 200 || (seen.size < 2 && Date.now() < end); i++) {
          const failure = errorOf(() => seen.add(look(file).digest));
          if (failure !== null) expect(failure).toMatchObject({ code: 'GUARD_ERR_UNSTABLE' });
        }
        const states = ['aaa', 'aab', 'abb', 'bbb', 'bba', 'baa'].map((marks) => sha256(content(marks)));
        for (const digest of seen) expect(states).toContain(digest);
        expect(seen.size).toBeGreaterThan(1);
      } finally {
        child.kill('SIGKILL');
      }
    },
  );
});

describe('limits', () => {
  it('the deadline ends the reading of a sparse file of 10 GB', () => {
    const file = join(dir, 'sparse');
    const fd = openSync(file, 'w');
    ftruncateSync(fd, 10 * 2 ** 30);
    closeSync(fd);
    const start = performance.now();
    const failure = errorOf(() => digestFile(file, { deadline: deadlineAfter(100) }));
    expect(failure).toMatchObject({ code: 'GUARD_ERR_DEADLINE', facts: { limit_ms: 100 } });
    expect(performance.now() - start).toBeLessThan(2000);
    rmSync(file);
  });

  it('100 MB cost no more memory than 1 MB', () => {
    const file = join(dir, '100mb');
    const fd = openSync(file, 'w');
    ftruncateSync(fd, 100 * 2 ** 20);
    closeSync(fd);
    const before = process.memoryUsage();
    look(file);
    const after = process.memoryUsage();
    expect(after.external + after.arrayBuffers - before.external - before.arrayBuffers).toBeLessThan(2 ** 22);
    rmSync(file);
  });
});
