import { closeSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ifAllowed } from '../../core/attempt.ts';
import { readInstall } from '../../repo/install.ts';
import { readNow } from '../../repo/clock.ts';
import { INDEX, list, openIndex, repairLedger, repairOf, verifyLedger } from '../../store/upkeep.ts';
import type { Header, Problem, Repair } from '../../store/upkeep.ts';
import { FIRST_LSN } from '../../store/record.ts';
import { checking, fail, ok, type Patient } from '../check.ts';

/** Any other problem means that records are damaged or missing, which cannot be repaired without losing them. */
const MENDABLE: readonly Problem['kind'][] = ['index_differs', 'bad_checkpoint', 'unsafe_file'];

/** Reads every record, and checks every checksum, the chain, and the index against them. */
export const ledger = checking('ledger', ({ repo, onRead }) => {
  if (!existsSync(repo.state_dir)) return [];
  const {
    records,
    segments,
    problems: found,
  } = verifyLedger(repo.state_dir, {
    ...(onRead === undefined ? {} : { onRead }),
  });
  // While the clone shares another ledger, its own one is closed (cli/fleet/own-ledger.ts).
  const isClosed = ifAllowed(() => readInstall(repo.state_dir).shared_as !== undefined, false);
  const problems = found.filter(({ kind }) => !isClosed || kind !== 'copied');
  const facts = { records, segments: segments.length, problems: problems.map(spelled) };
  const orphan = orphanOf(repo.state_dir);
  if (orphan === 'empty') {
    const hint = 'Run: guard doctor --fix';
    return fail('There is an index, but no ledger', { facts, hint, fixable: true });
  }
  if (orphan === 'lost') {
    const message = 'The records of the ledger are missing; they cannot be recovered';
    return fail(message, { facts, hint: NEW_HINT });
  }
  if (problems.length === 0) return ok(`The ledger is whole: ${records} records`, { facts });
  const fixable = problems.some(({ kind }) => MENDABLE.includes(kind));
  const hint = HINTS[repairOf(problems)];
  return fail(`The ledger is damaged: ${facts.problems.join('; ')}`, { facts, hint, fixable });
});

/** An index without any segment: either the ledger had records, or it never had any (a crash, an empty file). */
function orphanOf(state_dir: string): 'empty' | 'lost' | null {
  const { segments, hasIndex, checkpoints } = list(state_dir);
  if (segments.length > 0 || (!hasIndex && checkpoints.length === 0)) return null;
  const header = hasIndex ? openedHeader(state_dir) : undefined;
  const had_records = checkpoints.length > 0 || (header !== undefined && header.applied > FIRST_LSN);
  return had_records ? 'lost' : 'empty';
}

function openedHeader(state_dir: string): Header | undefined {
  const found = openIndex(state_dir, INDEX, false);
  if (found !== undefined) closeSync(found.file.fd);
  return found?.header;
}

const NEW_HINT =
  'Writes are denied until this is settled. To start a new ledger: guard doctor --fix --quarantine';

const HINTS: Readonly<Record<Repair, string>> = {
  fix: 'Run: guard doctor --fix',
  quarantine:
    'Writes are denied until this is settled. To continue without the damaged records (they are kept aside): guard doctor --fix --quarantine',
  init: 'Writes are denied until a person adopts this copy. Its locks end, history and messages stay. Run: guard init',
  update: 'Update guard on this machine.',
};

const spelled = ({ kind, file, offset, reason }: Problem): string =>
  `${kind} in ${file}${offset === undefined ? '' : ` at byte ${offset}`}${reason === undefined ? '' : ` (${reason})`}`;

/** @param quarantine whether to give up damaged records, which a person explicitly asked for */
export function mendLedger({ repo }: Pick<Patient, 'repo'>, quarantine: boolean): readonly string[] {
  if (orphanOf(repo.state_dir) === 'empty') {
    rmSync(join(repo.state_dir, INDEX), { force: true });
    return [`ledger: index_removed (${INDEX})`];
  }
  const { actions } = repairLedger(repo.state_dir, { now: readNow, quarantine });
  return actions.filter(({ kind }) => kind !== 'opened').map(({ kind, file }) => `ledger: ${kind} (${file})`);
}
