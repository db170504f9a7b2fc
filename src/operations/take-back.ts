/** Taking a lock back from its holder: for a person, when no one else can be asked in time. */
import { GuardError } from '../core/error.ts';
import { type AtScreen, mayTakeBack } from '../core/speakers.ts';
import type { CallerWorkspace } from '../workspace/workspace.ts';
import { label, listOf, text } from './field.ts';
import { operation } from './operation.ts';

/** The caller, and where it acts from. */
export type Seated = CallerWorkspace & { readonly seat: AtScreen };

const PATHS_MAX = 10_000;

/** The holder keeps what it is writing. @throws GuardError GUARD_ERR_SPEAKER unless called by a person at a terminal */
export const TAKE_BACK = operation(
  'take_back',
  {
    of: label('Who holds it'),
    paths: listOf('Paths as in the ledger', text(''), { min: 1, max: PATHS_MAX }),
  },
  ({ of, paths }, { run, who, seat }: Seated) => {
    requirePersonAt(seat);
    return run({ type: 'lock.take_back', who, of, paths });
  },
);

/** @throws GuardError GUARD_ERR_SPEAKER */
export function requirePersonAt(seat: AtScreen): void {
  if (mayTakeBack(seat)) return;
  throw new GuardError(
    'GUARD_ERR_SPEAKER',
    'Only a person may do this, at a terminal outside of every session.',
    'An agent asks the holder: guard negotiate request FILE --of AGENT --reason TEXT',
    {},
  );
}
