// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The refusal of a state directory that is not trusted: what is wrong, and the one command that repairs it. */
import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { GuardError } from '../../core/error.ts';
import { shellWord } from '../../core/shell-word.ts';
import type { Repo } from '../repo.ts';
import type { Fault } from './fault.ts';

const WORDS: Readonly<Record<Fault, string>> = {
  gone: 'was set up for guard, but is gone',
  link: 'is a symbolic link',
  file: 'is not a directory',
  owner: 'belongs to another user',
  mode: 'can be used by others',
  unmarked: 'was not made here by your guard (a copy, an archive, another machine or another HOME)',
  copied: 'is not the directory that guard made here (restored from a backup?)',
  ledger_gone: 'should use the ledger of another clone, which is gone or was moved',
  ledger_left: 'should use the ledger of another clone, which does not list it',
  ledger_moved: 'should use the ledger of another clone, which lists it at another place',
  ledger_damaged: 'should use the ledger of another clone, but does not say which',
  ledger_not_believed: 'should use the ledger of another clone, which your guard does not trust',
};

type Place = Pick<Repo, 'state_dir' | 'root' | 'joined'>;

export function beliefRefusal(given: Place, fault: Fault): GuardError {
  const place = given.joined === undefined ? given : { ...given, state_dir: given.joined.own_dir };
  const code = fault === 'gone' ? 'GUARD_ERR_NOT_INITIALISED' : 'GUARD_ERR_STATE_DIR';
  const hint = `A person must run: ${stepFor(place, fault)}`;
  const facts = { dir: place.state_dir, root: place.root, fault };
  return new GuardError(code, `${place.state_dir} ${WORDS[fault]}.`, hint, facts);
}

const REJOIN = 'guard init --join CLONE (where the ledger is now), or: guard init --leave';

function stepFor({ state_dir, root, joined }: Place, fault: Fault): string {
  if (fault === 'ledger_not_believed')
    return `cd ${shellWord(dirname(joined?.holder ?? ''))} && guard doctor`;
  if (fault.startsWith('ledger_')) return `cd ${shellWord(root)} && ${REJOIN}`;
  if (fault !== 'owner') return `cd ${shellWord(root)} && guard init`;
  const uid = process.getuid?.() ?? 0;
  const owner = lstatSync(state_dir, { throwIfNoEntry: false })?.uid ?? 0;
  // In a container, over a directory mounted from outside, changing the owner would lock out the users there.
  if (uid === 0) return `the session as user ${owner}, or: chown -R 0 ${shellWord(state_dir)}`;
  return `sudo chown -R ${uid} ${shellWord(state_dir)}`;
}
