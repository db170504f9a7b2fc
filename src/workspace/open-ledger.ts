/** The ledger of a repository, own or shared, for callers that read it or leave a record but make no decisions. */
import { attempt } from '../core/attempt.ts';
import type { Facts } from '../core/types.ts';
import { readNow } from '../repo/clock.ts';
import { readInstall } from '../repo/install.ts';
import type { Repo } from '../repo/locate.ts';
import { isDead, machineId } from '../repo/process.ts';
import type { Environment } from '../repo/user-dirs.ts';
import type { LocalConfig } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { ledgerHere } from './ledger-here.ts';

export interface LedgerAt extends Pick<LocalConfig, 'create' | 'durability'> {
  readonly repo: Repo;
  readonly state_dir: string;
  readonly env: Environment;
}

export interface OpenedLedger {
  readonly store: Store;
  readonly facts: () => Pick<Facts, 'now' | 'isDead' | 'machine'>;
}

/** As long as a command waits. */
const DEADLINE_MS = 10_000;

/** The name under which it is shared. Null: it is not, or that cannot be determined. */
export const sharedName = ({ repo, state_dir }: Pick<LedgerAt, 'repo' | 'state_dir'>): string | null =>
  repo.initialised && state_dir === repo.state_dir
    ? attempt(() => readInstall(state_dir).shared_as ?? null, null)
    : null;

/** Touches nothing until it is used. */
export function openLedger(at: LedgerAt): OpenedLedger {
  const facts = () => ({ now: readNow(), isDead, machine: machineId() });
  const shared_as = sharedName(at) ?? undefined;
  return ledgerHere({ create: false, ...at, shared_as, now: readNow, lock_deadline_ms: DEADLINE_MS }, facts);
}
