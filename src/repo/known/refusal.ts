// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** What is said of a state directory that is not believed: what is wrong, and the one command that mends it. */
import { lstatSync } from 'node:fs';
import { GuardError } from '../../core/error.ts';
import { shellWord } from '../../core/shell-word.ts';
import type { Repo } from '../locate.ts';
import type { Fault } from './belief.ts';

const WORDS: Readonly<Record<Fault, string>> = {
  gone: 'was set up for guard, but is gone',
  link: 'is a symbolic link',
  file: 'is not a directory',
  owner: 'belongs to another user',
  mode: 'can be used by others',
  unmarked: 'was not made here by your guard (a copy, an archive, another machine or another HOME)',
  copied: 'is not the directory that guard made here (restored from a backup?)',
};

export function beliefRefusal(place: Pick<Repo, 'state_dir' | 'root'>, fault: Fault): GuardError {
  const code = fault === 'gone' ? 'GUARD_ERR_NOT_INITIALISED' : 'GUARD_ERR_STATE_DIR';
  const hint = `A person must run: ${stepFor(place, fault)}`;
  const facts = { dir: place.state_dir, root: place.root, fault };
  return new GuardError(code, `${place.state_dir} ${WORDS[fault]}.`, hint, facts);
}

function stepFor({ state_dir, root }: Pick<Repo, 'state_dir' | 'root'>, fault: Fault): string {
  if (fault !== 'owner') return `cd ${shellWord(root)} && guard init`;
  const uid = process.getuid?.() ?? 0;
  const owner = lstatSync(state_dir, { throwIfNoEntry: false })?.uid ?? 0;
  // In a container, over a directory that is mounted from outside, changing the owner would shut the others out.
  if (uid === 0) return `the session as user ${owner}, or: chown -R 0 ${shellWord(state_dir)}`;
  return `sudo chown -R ${uid} ${shellWord(state_dir)}`;
}
