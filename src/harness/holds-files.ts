/** Locks the files that guard itself writes for the caller, for as long as the write takes. */
import { join } from 'node:path';
import { holdingsOf } from '../core/holdings.ts';
import { locateAll } from '../locks/located.ts';
import { releaseLocks } from '../locks/release.ts';
import type { SayRelease } from '../locks/rows.ts';
import { tryLocks } from '../locks/try.ts';
import { consult } from '../store/transact.ts';
import type { CallerWorkspace } from '../workspace/workspace.ts';
import { refusedMerge } from './refusal.ts';

/** Every file to be written is locked for the caller meanwhile; locks it held before are kept. */
export function holdsFiles<T>(
  space: CallerWorkspace,
  files: readonly string[],
  release: SayRelease,
  work: () => T,
): T {
  const given = files.map((file) => join(space.repo.root, file));
  const facts = space.facts();
  const before = consult(space.store, (view) => holdingsOf(view, space.who.id, facts)).paths;
  const { results, all_acquired } = tryLocks(
    space,
    given,
    { mode: 'exclusive', ttl_ms: null, all: true },
    { release },
  );
  if (!all_acquired) {
    const held = results.filter(({ acquired }) => !acquired);
    const words = held.map(({ filepath, holder, error }) => `${filepath} (${holder ?? error ?? 'not free'})`);
    throw refusedMerge(
      'held',
      `Other agents hold files that it would write: ${words.join(', ')}.`,
      'Wait until they are done: guard lock wait FILE',
    );
  }
  try {
    return work();
  } finally {
    const others = locateAll(space, given).filter(({ path }) => path !== null && !before.includes(path));
    releaseLocks(
      space,
      others.map((one) => one.given),
    );
  }
}
