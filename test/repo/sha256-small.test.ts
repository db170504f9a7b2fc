import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { digestBytes, SMALL_BYTES } from '../../src/repo/digest.ts';
import { SHA256_MODULE } from '../../src/repo/sha256-module.ts';
import { sha256Small } from '../../src/repo/sha256-small.ts';

const builtIn = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const noble = (bytes: Uint8Array): string => Buffer.from(nobleSha256(bytes)).toString('hex');

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the small SHA-256', () => {
  it('is the module that its source assembles to', () => {
    const script = join(import.meta.dirname, '../../scripts/sha256.mjs');
    expect(execFileSync(process.execPath, [script, '--print'], { encoding: 'utf8' })).toBe(SHA256_MODULE);
  });

  it('gives the digests of FIPS 180-4', () => {
    expect(sha256Small(Buffer.from('abc'))).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
    expect(sha256Small(new Uint8Array())).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
  });

  it.each([1, 55, 56, 63, 64, 65, 119, 120, 64_511, 64_512, 64_513, 65_536, 200_003])(
    'agrees with two other implementations on %i bytes, around blocks and pages',
    (size) => {
      const bytes = Buffer.alloc(size, `${size} bytes of something `);
      expect([sha256Small(bytes), noble(bytes)]).toEqual([builtIn(bytes), builtIn(bytes)]);
    },
  );

  it('agrees with node:crypto on any bytes, one after the other', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5_000 }), (bytes) => {
        expect(sha256Small(bytes)).toBe(builtIn(bytes));
      }),
    );
  });

  it('takes the bytes of a view, not of the buffer behind it', () => {
    const whole = Buffer.from('--abc--');
    expect(sha256Small(whole.subarray(2, 5))).toBe(builtIn(Buffer.from('abc')));
  });

  it('is left out where there is no WebAssembly, and the digest is the same', async () => {
    vi.resetModules();
    vi.stubGlobal('WebAssembly', undefined);
    const small = await import('../../src/repo/sha256-small.ts');
    const { digestBytes: digest } = await import('../../src/repo/digest.ts');
    expect(small.sha256Small(Buffer.from('abc'))).toBe(null);
    expect(digest(Buffer.from('abc'))).toBe(builtIn(Buffer.from('abc')));
  });

  it('and its neighbours meet at their limits without a seam', () => {
    for (const size of [SMALL_BYTES - 1, SMALL_BYTES, SMALL_BYTES + 1, 1 << 20, (1 << 20) + 1]) {
      const bytes = Buffer.alloc(size, 'seam');
      expect(digestBytes(bytes)).toBe(builtIn(bytes));
    }
  });
});
