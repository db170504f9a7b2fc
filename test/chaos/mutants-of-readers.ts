/** Bugs to plant in the code that reads lines to bring an index up to its ledger. */
import type { Mutant } from './mutants.ts';

export const READER_MUTANTS: readonly Mutant[] = [
  {
    name: 'half a commit counts',
    by: 'cut images',
    from: /if \(record\.more\) continue;\n {4}(for \(const one of commit\d*\) collect)/,
    to: '$1',
  },
  {
    name: 'the checksum is ignored where a line is skimmed',
    by: 'flipped images',
    from: 'return isFramed && crc === sum(bytes, start2, seal) ? crc : -1;',
    to: 'return isFramed ? crc : -1;',
  },
  {
    name: 'the frame of the checksum is ignored where a line is skimmed',
    by: 'flipped images',
    from: /const isFramed = [^;]*;/,
    to: 'const isFramed = true;',
  },
  {
    name: 'an id is forgotten when the index is rebuilt',
    by: 'forgotten ids',
    from: 'if (id !== void 0) ids.set(',
    to: 'if (false) ids.set(',
  },
  {
    name: 'a removal is forgotten when the index is rebuilt',
    by: 'lagging indexes',
    from: 'if (lsn < 0) removeSlot(pages, header.shape, fingerprint(key), isIt);\n  else',
    to: 'if (lsn >= 0)',
  },
  {
    name: 'a removal is skimmed as a state',
    by: 'lagging indexes',
    from: '(standsAt(bytes, end + 2, NULL) ? removed : live)',
    to: 'live',
  },
];
