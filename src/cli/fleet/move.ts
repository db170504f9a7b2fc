/** Moves a repository into a ledger that machines share. */
import { randomUUID } from 'node:crypto';
import { GuardError } from '../../core/error.ts';
import { loadEngine } from '../../config/engine.ts';
import { readInstall, writeInstall } from '../../repo/install.ts';
import { nameClone } from '../../install/clone-name.ts';
import { forgetName } from '../../repo/forget-name.ts';
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
import { closeOwn, ownEnd, reopenOwn } from './own-ledger.ts';
import { NAMED_FILE, readNamed, writeNamed } from './named.ts';
import { requireQuiet } from './quiet.ts';

export interface Moved {
  readonly repository: string;
  readonly schema: number | null;
  /** The clone's name in the shared ledger. */
  readonly clone: string;
}

/** What remains to be run for init or join, once the repository has its name. */
const AGAIN = 'guard fleet join';

const refuse = (message: string, hint: string): GuardError =>
  new GuardError('GUARD_ERR_FLEET', message, hint);

const behind = (): GuardError =>
  refuse(
    'The standbys of this database are all asynchronous: a failover loses what was acknowledged, and grants locks twice.',
    'Name one in synchronous_standby_names; or write {"engine_asynchronous": true} into your own configuration.',
  );

export const notShared = (hint: string): GuardError => refuse('The ledger here is not shared.', hint);

/** Uses a new name, which is to be committed. @param owner_url the database's owner, or a role that may create what is needed */
export async function initFleet(around: Surroundings, repo: Repo, owner_url: string): Promise<Moved> {
  requireNotShared(repo);
  const known = readNamed(repo.root);
  if (known !== null) throw refuse(`${NAMED_FILE} names this repository already.`, 'Run "guard fleet join".');
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
  return { repository, schema, clone: move(repo, { repository, tip }, around) };
}

/** Uses the committed name. */
export async function joinFleet(around: Surroundings, repo: Repo): Promise<Moved> {
  const late = nameLate(around, repo);
  if (late !== null) return { ...late, schema: null };
  requireNotShared(repo);
  const named = readNamed(repo.root);
  if (named === null)
    throw refuse(`${NAMED_FILE} is not here.`, 'Run "guard fleet init" on one machine, and commit it.');
  const here = firstCommit(repo);
  if (named.first_commit !== null && here !== null && here !== named.first_commit)
    throw refuse(
      `${NAMED_FILE} belongs to another repository: its first commit is ${named.first_commit}, here it is ${here}.`,
      'Remove the file, and run "guard fleet init".',
    );
  const tip = quietTip(around, 'guard fleet join');
  const engine = loadEngine(repo, around.env);
  await (await fleetEngine(engine.url)).leapBeyond({ ...engine, repository: named.repository }, tip);
  const clone = move(repo, { repository: named.repository, tip }, around);
  return { repository: named.repository, schema: null, clone };
}

/** The smallest, if there are several; `null` if there is none, or the clone is shallow. */
function firstCommit({ root, common_dir }: Repo): string | null {
  if (common_dir === null || !isWhole({ common_dir })) return null;
  return [...firstCommits({ root }, ['HEAD'])].sort()[0] ?? null;
}

function requireNotShared(repo: Repo): void {
  const { shared_as } = readInstall(repo.state_dir);
  if (shared_as !== undefined)
    throw refuse(`The ledger here is shared, as ${shared_as}.`, 'See "guard fleet status".');
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

/** Undone if agents began meanwhile, or if the engine does not answer. @param tip the own ledger's tip when it was checked */
function move(
  repo: Repo,
  { repository, tip }: Pick<Moved, 'repository'> & { tip: number },
  around: Surroundings,
): string {
  const before = readInstall(repo.state_dir);
  const own = workspaceAround(around);
  const clone = nameClone(repo);
  const end = ownEnd(repo.state_dir);
  writeInstall(repo.state_dir, { ...before, v: 2, shared_as: repository });
  try {
    // New arrivals look there from now on, and whoever looked here before is refused once the ledger is closed.
    const isQuiet = requireQuiet(own, AGAIN) === tip && lateNames(own.state_dir).length === 0;
    if (!isQuiet || !closeOwn(repo.state_dir, end))
      throw refuse('Agents were at work here meanwhile.', `Run "${AGAIN}".`);
    const space = workspaceAround(around);
    try {
      space.run({ type: 'machine.beat' });
    } finally {
      space.close();
    }
    return clone;
  } catch (error) {
    reopenOwn(repo.state_dir);
    writeInstall(repo.state_dir, before);
    forgetName(repo.state_dir);
    throw error;
  } finally {
    own.close();
  }
}
