/** All agents in a repository, what they hold and wait for, and whether guard is in force. */
import { asNoticed, NOTICED, type NoticedState } from '../core/noticed.ts';
import { rfc3339 } from '../core/rfc3339.ts';
import { sceneIn } from '../core/scene.ts';
import { isOn } from '../fence/site.ts';
import { isHooked } from '../install/hook-sources.ts';
import { readOff } from '../install/off.ts';
import { textOf } from '../repo/small-file.ts';
import { hasHook } from '../settings/foreign-hooks.ts';
import { lateNames } from '../store/late/late-file.ts';
import { consult } from '../store/transact.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { operation } from './operation.ts';
import { halfDoneIn } from './half-done.ts';
import { recentDenials } from './recent-denials.ts';
import { clientsHere, strangersAmong, withoutHooks } from './strangers.ts';

export type Status = ReturnType<typeof statusHere>;

export const STATUS = operation('status', {}, (_, space: Workspace) => statusHere(space));

function statusHere({ repo, env, store, state_dir, facts: factsNow }: Workspace) {
  const facts = factsNow();
  const clients = clientsHere(repo);
  const { noticed, ...seen } = consult(store, (view) => ({
    ...sceneIn(view, facts),
    ...strangersAmong(clients, view, facts),
    noticed: asNoticed(view.get(NOTICED)),
  }));
  const off = readOff(repo.state_dir, facts.now);
  return {
    repository: repo.root,
    enforcement: facts.policy.enforcement,
    hooked: isHooked(repo, env),
    off_until: off === null ? null : rfc3339(off.until_wall_ms),
    fenced: isOn(repo.state_dir),
    late: lateNames(state_dir).length,
    standing: halfDoneIn(repo),
    ...seen,
    other_clients: withoutHooks(seen.other_clients, repo, env),
    denials: recentDenials(store, state_dir, facts.now.wall_ms),
    noticed: noticed.filter(isStill),
  };
}

const SETTINGS_BYTES = 4 << 20;

/** A hook that is no longer in its file needs no more attention. */
const isStill = (one: NoticedState): boolean =>
  one.what === 'changed' || hasHook(textOf(one.file, SETTINGS_BYTES) ?? '', one);
