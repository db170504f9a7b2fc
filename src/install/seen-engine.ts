/** The server of a shared ledger, for `guard doctor`. */
import { isGuardError, type GuardError } from '../core/error.ts';
import { loadEngine } from '../config/engine.ts';
import { wallMs } from '../repo/clock.ts';
import { readInstall } from '../repo/install.ts';
import type { Repo } from '../repo/locate.ts';
import type { Environment } from '../repo/user-dirs.ts';
import { fleetEngine, type SeenEngine } from '../store/fleet.ts';

/** `null` if the ledger here is not shared; an error if asking failed. */
export type EngineFound = (SeenEngine & { readonly asynchronous: boolean }) | GuardError | null;

/** Limit for everything that is tried. */
const ASK_MS = 5_000;

export async function findEngine(repo: Repo, env: Environment): Promise<EngineFound> {
  try {
    const repository = repo.initialised ? readInstall(repo.state_dir).shared_as : undefined;
    if (repository === undefined) return null;
    const { asynchronous, ...address } = loadEngine(repo, env);
    const fleet = await fleetEngine(address.url);
    const seen = await fleet.askEngine(
      { ...address, repository, query_ms: ASK_MS, deadline_ms: ASK_MS },
      wallMs,
    );
    return { ...seen, asynchronous };
  } catch (error) {
    if (isGuardError(error)) return error;
    throw error;
  }
}
