/** The lock of a ledger, with providers that find it in every state. */
import { closeSync, constants, fstatSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { monotonic } from '../../../src/repo/clock.ts';
import { lockSync } from '../../../src/store/embedded/lock.ts';
import type { Flock } from '../../../src/store/flock/provider.ts';
import { failure } from '../kit.ts';
import { withDir } from '../scratch.ts';

/** Takes the lock by opening the file, by which time an earlier descriptor may belong to another file. */
const byOpening = (isBusy: () => boolean = () => false): Flock => ({
  name: 'by opening',
  take({ fd, path }) {
    if (isBusy()) return undefined;
    const held = openSync(path, constants.O_RDWR);
    if (fstatSync(held).ino === fstatSync(fd).ino) return () => closeSync(held);
    closeSync(held);
    return null;
  },
});

const lock = (dir: string, flock: Flock) =>
  lockSync({ dir, flock, deadline_ms: 60_000, writable: true, mono_ms: monotonic });

describe('a lock that is taken by opening it', () => {
  test('is the file that has the name, at once, where that was replaced meanwhile', () =>
    withDir((dir) => {
      writeFileSync(`${dir}/lock`, '', { mode: 0o600 });
      const plain = byOpening();
      let replaced = false;
      const begun_ms = monotonic();
      const held = lock(dir, {
        ...plain,
        take(target) {
          if (!replaced) {
            writeFileSync(`${dir}/new`, '', { mode: 0o600 });
            renameSync(`${dir}/new`, `${dir}/lock`);
          }
          replaced = true;
          return plain.take(target);
        },
      });
      const fd = openSync(`${dir}/lock`, constants.O_RDONLY);
      expect(held.home.ino).toBe(fstatSync(fd).ino);
      closeSync(fd);
      held.free();
      expect(monotonic() - begun_ms).toBeLessThan(30_000);
    }));

  test('is waited for where somebody has it', () =>
    withDir((dir) => {
      let looks = 0;
      lock(
        dir,
        byOpening(() => ++looks < 4),
      ).free();
      expect(looks).toBe(4);
      const never = { dir, flock: byOpening(() => true), deadline_ms: 5, writable: true, mono_ms: monotonic };
      expect(failure(() => lockSync(never)).code).toBe('GUARD_ERR_BUSY');
    }));
});
