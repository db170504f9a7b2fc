import { spelledGitName } from '../core/git-names.ts';
import type { AgentId, Mode } from '../core/types.ts';
import { grouped } from '../core/grouped.ts';
import { leasesNow } from '../core/leases.ts';
import {
  type Keeper,
  type PathStanding,
  reservedNow,
  standingOn,
  standings,
} from '../core/rules/standing.ts';
import type { CallerWorkspace } from '../workspace/workspace.ts';
import { locateAll } from './located.ts';
import { consult } from '../store/transact.ts';

export interface StatusRow {
  /** The path as given; when everything is listed, a lock's path or a reservation's pattern. */
  readonly filepath: string;
  readonly held_by_me: boolean;
  readonly holder: string | null;
  readonly holders: readonly string[];
  readonly token: number | null;
  /** When `holder` loses it to another agent if it does nothing more. */
  readonly expires_at: string | null;
  /** Whether `holder` has it by a lease or a reservation; absent: it is free. */
  readonly because?: Keeper['because'];
  readonly mode?: Mode;
  readonly since?: string;
  /** The tool_use_id of `holder`'s command line that took it for itself and returns it when it ends. */
  readonly command?: string;
  /** The reservation that covers it; the caller's own takes precedence. */
  readonly reservation?: Keeper['reservation'];
  /** The agents that wait for it or were promised it, in order. */
  readonly queue: readonly string[];
  /** What is wrong with the path. */
  readonly error?: string;
}

const NOBODY: PathStanding = { keepers: [], queue: [] };

/** The holders of the given files; without any, every lock and every reservation of the repository. */
export function statusOfLocks(
  space: CallerWorkspace,
  given: readonly string[],
): { readonly results: readonly StatusRow[] } {
  const { id: me } = space.who;
  const facts = space.facts();
  const asked = locateAll(space, given);
  const results = consult(space.store, (view): StatusRow[] => {
    if (given.length > 0)
      return asked.map(({ given: filepath, path, error }) => ({
        ...rowFor(filepath, path === null ? NOBODY : standingOn(view, path, facts), me),
        ...(error === null ? {} : { error }),
      }));
    const held = grouped(leasesNow(view, facts), ({ path }) => path);
    const standingOf = standings(view, facts);
    return [
      ...[...held].map(([path, leases]) =>
        rowFor(spelledGitName(path) ?? path, standingOf(path, leases), me),
      ),
      ...reservedNow(view, facts).map((one) =>
        rowFor(one.reservation?.pattern ?? '', { keepers: [one], queue: [] }, me),
      ),
    ];
  });
  return { results };
}

function rowFor(filepath: string, { keepers, queue }: PathStanding, me: AgentId): StatusRow {
  const mine = keepers.filter(({ agent }) => agent === me);
  const shown = mine[0] ?? keepers[0];
  const reservation = [...mine, ...keepers].find((one) => one.reservation !== undefined)?.reservation;
  return {
    filepath,
    held_by_me: mine.length > 0,
    holder: shown?.agent ?? null,
    holders: [...new Set(keepers.map(({ agent }) => agent))],
    token: shown?.token ?? null,
    expires_at: shown?.expires_at ?? null,
    ...(shown === undefined ? {} : { because: shown.because, mode: shown.mode, since: shown.since }),
    ...(shown?.command === undefined ? {} : { command: shown.command }),
    ...(reservation === undefined ? {} : { reservation }),
    queue,
  };
}
