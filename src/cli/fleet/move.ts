/** Moves a repository into a ledger that machines share. */
import { randomUUID } from 'node:crypto';
import type { GuardError } from '../../core/error.ts';
import { loadEngine } from '../../config/engine.ts';
import { NAMED_FILE } from '../../repo/fleet-file.ts';
import { readInstall } from '../../repo/install.ts';
import { firstCommits, isWhole } from '../../install/same-origin.ts';
import type { Repo } from '../../repo/locate.ts';
import { engineStanding } from '../../core/engine-health.ts';
import { wallMs } from '../../repo/clock.ts';
import { fleetEngine } from '../../store/fleet.ts';
import { lateNames } from '../../store/late/late-file.ts';
import { transact } from '../../store/transact.ts';
import { workspaceAround } from '../workspace.ts';
import type { Surroundings } from '../../workspace/workspace.ts';
import { nameLate } from './name-late.ts';
import { alreadyShared, fleetRefusal, moveClone } from './move-clone.ts';
import { ownEnd } from './own-ledger.ts';
import { readNamed, writeNamed } from './named.ts';
import { requireQuiet } from './quiet.ts';

export interface Moved {
  readonly repository: string;
  readonly schema: number | null;
  /** The clone's name in the shared ledger. */
  readonly clone: string;
}

const behind = (): GuardError =>
  fleetRefusal(
    'The standbys of this database are all asynchronous: a failover loses what was acknowledged, and grants locks twice.',
    'Name one in synchronous_standby_names; or write {"engine_asynchronous": true} into your own configuration.',
  );

export const notShared = (hint: string): GuardError => fleetRefusal('The ledger here is not shared.', hint);

/** Uses a new name, which is to be committed. @param owner_url the database's owner, or a role that may create what is needed */
export async function initFleet(around: Surroundings, repo: Repo, owner_url: string): Promise<Moved> {
  requireNotShared(repo);
  const known = readNamed(repo.root);
  if (known !== null)
    throw fleetRefusal(`${NAMED_FILE} names this repository already.`, 'Run "guard fleet join".');
  const { url, asynchronous } = loadEngine(repo, around.env);
  const fleet = await fleetEngine(owner_url);
  const role = fleet.loginIn(url);
  const tip = quietTip(around, 'guard fleet init');
  const repository = randomUUID();
  const schema = await fleet.asOwner(owner_url, async (owner) => {
    const version = await owner.migrate();
    if (!asynchronous && engineStanding(await owner.health()) === 'asynchronous') throw behind();
    await owner.mint(repository, tip + 1);
    await owner.admit(repository, role);
    return version;
  });
  writeNamed(repo.root, { v: 1, repository, first_commit: firstCommit(repo) });
  return { repository, schema, clone: moveClone(repo, { repository, tip }, around) };
}

/** Uses the committed name. */
export async function joinFleet(around: Surroundings, repo: Repo): Promise<Moved> {
  const late = nameLate(around, repo);
  if (late !== null) return { ...late, schema: null };
  requireNotShared(repo);
  const named = readNamed(repo.root);
  if (named === null)
    throw fleetRefusal(`${NAMED_FILE} is not here.`, 'Run "guard fleet init" on one machine, and commit it.');
  const here = firstCommit(repo);
  if (named.first_commit !== null && here !== null && here !== named.first_commit)
    throw fleetRefusal(
      `${NAMED_FILE} belongs to another repository: its first commit is ${named.first_commit}, here it is ${here}.`,
      'Remove the file, and run "guard fleet init".',
    );
  const tip = quietTip(around, 'guard fleet join');
  const { asynchronous, ...address } = loadEngine(repo, around.env);
  const engine = { ...address, repository: named.repository };
  const fleet = await fleetEngine(engine.url);
  if (!asynchronous && engineStanding(await fleet.askEngine(engine, wallMs)) === 'asynchronous')
    throw behind();
  await fleet.leapBeyond(engine, tip);
  const clone = moveClone(repo, { repository: named.repository, tip }, around);
  return { repository: named.repository, schema: null, clone };
}

/** The smallest, if there are several; `null` if there is none, or the clone is shallow. */
function firstCommit({ root, common_dir }: Repo): string | null {
  if (common_dir === null || !isWhole({ common_dir })) return null;
  return [...firstCommits({ root }, ['HEAD'])].sort()[0] ?? null;
}

function requireNotShared(repo: Repo): void {
  const { shared_as } = readInstall(repo.state_dir);
  if (shared_as !== undefined) throw alreadyShared(shared_as);
}

/** A record without content: committing it first writes down whatever came too late. */
const nothing = () => ({ type: 'machine.leave', agent: 'guard', ts_ms: wallMs(), s: {} });

function quietTip(around: Surroundings, what: string): number {
  const space = workspaceAround(around);
  try {
    // Ends that could not be recorded in time must be recorded here: in the other ledger they would mean nothing.
    // And only a ledger with a record can be closed (own-ledger.ts).
    if (lateNames(space.state_dir).length > 0 || ownEnd(space.state_dir) === '')
      transact(space.store, () => ({ records: [nothing()], result: null }));
    return requireQuiet(space, what);
  } finally {
    space.close();
  }
}
