/** Bugs to plant in opening files: links, owners, second names. */
import type { Mutant } from './mutants.ts';

export const FILE_MUTANTS: readonly Mutant[] = [
  {
    name: 'records of a newer guard are believed',
    by: 'newer records',
    from: 'if (version <= RECORD_VERSION) return;',
    to: 'return;',
  },
  {
    name: 'a symbolic link is followed',
    by: 'unsafe files',
    from: /flags \| SAFELY, 384/,
    to: '0, 384',
  },
  {
    name: 'a second name of the ledger is accepted',
    by: 'unsafe files',
    from: 'if (stats.nlink > 1)',
    to: 'if (false)',
  },
];
