// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Which leases a machine may rely on, according to its cache. */
import { agentKey, machineKey, pathKey, pathOfKey, PATHS } from '../core/keys.ts';
import { keptUntil } from '../core/kept-until.ts';
import { endingKeys } from '../core/lease-ends.ts';
import { asPathState, changesOver } from '../core/states.ts';
import type { Facts } from '../core/types.ts';
import { elapsedSince, type BootMoment } from '../repo/boot-clock.ts';
import type { AcknowledgedStates } from './acknowledged-states.ts';
import type { CachedLease, EndedMark, LeaseCache } from './lease-cache.ts';

type Ended = LeaseCache['ended'];

/** By then, processes that looked before something ended have stored what they saw. */
const ENDED_MS = 300_000;

/** The leases that still count, with the time they have left now. */
export function believed({ leases, ended, machine }: LeaseCache, at: BootMoment): readonly CachedLease[] {
  return leases.flatMap((lease) => {
    const passed_ms = elapsedSince(lease.asked, at);
    if (passed_ms === null || passed_ms >= lease.left_ms || hasEnded(lease, ended, machine)) return [];
    return [{ ...lease, left_ms: lease.left_ms - passed_ms }];
  });
}

function hasEnded(lease: CachedLease, ended: Ended, machine: string): boolean {
  const keys = endingKeys({ ...lease, machine });
  return Object.values(ended).some(
    ({ key, until_boot_ms, from_token = Infinity }) =>
      keys.includes(key) && lease.seen_boot_ms <= until_boot_ms && lease.token < from_token,
  );
}

/** The leases on files that were looked up. @param facts on the engine's clock, at this machine's moment `asked` */
export function leasesKnown(
  known: AcknowledgedStates,
  facts: Facts,
  asked: BootMoment,
): readonly CachedLease[] {
  const view = known.acknowledged;
  const changes = changesOver(view);
  return known
    .news()
    .filter((key) => key.startsWith(PATHS))
    .flatMap((key) =>
      asPathState(view.get(key)).holds.flatMap((hold): readonly CachedLease[] => {
        const path = pathOfKey(key);
        const until = keptUntil(view, path, hold, facts);
        if (until === null) return [];
        const parent = changes.agent(hold.agent)?.parent ?? null;
        const about = [key, agentKey(hold.agent), machineKey(facts.machine)];
        const seen = [...about, ...(parent === null ? [] : [agentKey(parent)])].map((one) =>
          known.acknowledgedAt(one),
        );
        const left_ms = until.until_mono_ms - facts.now.mono_ms;
        const { agent: holder, token } = hold;
        const seen_boot_ms = Math.min(...seen);
        return [{ path, holder, parent, token, asked, left_ms, margin_ms: until.margin_ms, seen_boot_ms }];
      }),
    );
}

interface News {
  readonly machine: string;
  readonly marks: Ended;
  readonly leases: readonly CachedLease[];
  readonly known: AcknowledgedStates;
  readonly at: BootMoment;
}

/** Results for files that this process looked up replace older ones. An ended lease is dropped before the mark that ended it. */
export function mergedLeases(
  old: LeaseCache | null,
  { machine, marks, leases, known, at }: News,
): Pick<LeaseCache, 'leases' | 'ended'> {
  const ended = { ...old?.ended, ...marks };
  const isNew = ({ until_boot_ms }: EndedMark): boolean => at.boot_ms - until_boot_ms < ENDED_MS;
  const asked = new Set(known.news());
  const others = (old?.leases ?? []).filter(
    ({ path, seen_boot_ms }) =>
      !asked.has(pathKey(path)) || known.acknowledgedAt(pathKey(path)) < seen_boot_ms,
  );
  const own = leases.filter(
    ({ path, seen_boot_ms }) =>
      at.boot_ms - seen_boot_ms < ENDED_MS && !others.some((one) => one.path === path),
  );
  return {
    leases: [...others, ...own].filter((lease) => !hasEnded(lease, ended, machine)),
    ended: Object.fromEntries(Object.entries(ended).filter(([, mark]) => isNew(mark))),
  };
}
