// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * A clone that the ledger knows by a name. `guard fleet` names a clone among those of other machines. With
 * `guard init --join`, a clone uses the ledger of another clone on this machine: it keeps its own state directory, where
 * a file `ledger` says where the records are, and `clones/<id>` there names this clone. Both must agree.
 */
import { attempt } from '../core/attempt.ts';
import { asObject, asText, parsedObject } from '../core/json-object.ts';
import { cloneIn, cloneNamed, LEDGER_POINTER, ledgerName } from './clones.ts';
import { isPresent } from './git-dir.ts';
import type { JoinFault, Joined, Repo } from './repo.ts';
import { realPath } from './real-path.ts';
import { textOf } from './small-file.ts';

/** The same checkout with the ledger that it shares. If that cannot be used, with its own state directory and the fault. */
export function byPointer(repo: Repo, pointer: string): Repo {
  const clone = cloneNamed(pointer);
  if (clone !== undefined) return { ...repo, worktree: ledgerName(clone, repo.worktree), clone };
  const { id, state_dir, common_dir } = asObject(parsedObject(pointer));
  const joined: Joined = { id: asText(id), holder: asText(common_dir), own_dir: repo.state_dir };
  const fault = joinFault(asText(state_dir), joined, repo);
  if (fault !== null) return { ...repo, joined: { ...joined, fault } };
  const place = { state_dir: asText(state_dir), worktree: ledgerName(joined.id, repo.worktree) };
  const among = cloneNamed(textOf(`${place.state_dir}/${LEDGER_POINTER}`));
  return { ...repo, ...place, joined: { ...joined, ...(among !== undefined && { among }) } };
}

function joinFault(state_dir: string, { id, holder }: Joined, { common_dir }: Repo): JoinFault | null {
  if (!/^~[\w.-]+$/.test(id) || !state_dir.startsWith('/') || holder === '') return 'damaged';
  if (attempt(() => realPath(state_dir), '') !== state_dir || !isPresent(`${state_dir}/install.json`))
    return 'gone';
  const known = cloneIn(state_dir, id);
  if (known === null) return 'left';
  return known.common_dir === common_dir ? null : 'moved';
}

type Place = Pick<Repo, 'state_dir' | 'common_dir' | 'root'>;

/** Both the clone's own state directory and the ledger's must be trusted. */
export function faultOfJoined<T>(
  { state_dir, common_dir, root }: Place,
  { own_dir, holder, fault }: Joined,
  faultOf: (place: Place) => T | null,
): T | `ledger_${JoinFault}` | 'ledger_not_believed' | null {
  const own = faultOf({ state_dir: own_dir, common_dir, root });
  if (own !== null) return own;
  if (fault !== undefined) return `ledger_${fault}`;
  return faultOf({ state_dir, common_dir: holder, root }) === null ? null : 'ledger_not_believed';
}
