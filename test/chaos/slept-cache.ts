/** A machine that was suspended: the clock that goes on in sleep is ahead of the monotonic one. */
import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { attempt } from '../../src/core/attempt.ts';
import { alone } from '../../src/store/upkeep.ts';
import { readKey } from '../../src/repo/key.ts';
import { userStateDir } from '../../src/repo/user-dirs.ts';
import type { LeaseCache } from '../../src/workspace/lease-cache.ts';
import type { Scratch } from '../claude/driver.ts';

/** Everything in its lease cache was asked for so much earlier, on that clock alone. */
export function sleepThrough(at: Scratch, duration_ms: number): void {
  const before = ({ boot_ms, ...others }: NonNullable<LeaseCache['clock']>['asked']) => ({
    ...others,
    boot_ms: boot_ms - duration_ms,
  });
  rewriteCache(at, (cache) => ({
    ...cache,
    clock: cache.clock && { ...cache.clock, asked: before(cache.clock.asked) },
    leases: cache.leases.map((lease) => ({ ...lease, asked: before(lease.asked) })),
  }));
}

/**
 * As after a cache that was damaged: neither agents nor files nor the engine's clock are known. Only that the engine is away
 * stays known, for a little longer, so that hooks do not wait for it.
 */
export const forgetAll = ({ away_boot_ms, ...cache }: LeaseCache): LeaseCache => ({
  ...cache,
  ...{ clock: null, states: {}, told: {}, leases: [], away_boot_ms: away_boot_ms + 4_500 },
});

/** Changes the machine's lease cache as guard itself would. */
export function rewriteCache({ env }: Scratch, change: (cache: LeaseCache) => LeaseCache): void {
  const above = `${userStateDir(env)}/fleet`;
  const dir = `${above}/${readdirSync(above)[0] ?? ''}`;
  const file = `${dir}/leases.cache`;
  const key = readKey(env);
  if (key === null) return;
  // The machine's server may be about to change it, too.
  alone(
    dir,
    () => {
      const text = attempt(() => readFileSync(file, 'utf8'), null);
      if (text === null) return;
      const json = JSON.stringify(change(JSON.parse(text.slice(65)) as LeaseCache));
      const sum = createHmac('sha256', key)
        .update(`${statSync(dir).ino} ${json}`)
        .digest('hex');
      writeFileSync(file, `${sum} ${json}\n`);
    },
    10_000,
  );
}
