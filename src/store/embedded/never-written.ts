// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** What reading a store finds if nothing was ever written to it: there is no lock file, and a read must not create one. */
import type { Now } from '../../core/types.ts';
import { lookOf } from '../look.ts';
import { FIRST_LSN } from '../record.ts';
import type { Engine } from '../store.ts';

/** The version that range.ts gives to an empty list. */
const NOTHING = '0 0 0';

export const neverWritten = (now: Now): Engine<'now'> => ({
  look: (keys, indexes = []) =>
    lookOf({
      states: new Map(keys.map((key) => [key, { version: 0, state: undefined }])),
      lists: indexes.map((index) => ({ ...index, entries: [], version: NOTHING })),
      tip: FIRST_LSN,
      now,
    }),
  commit: () => ({ verdict: 'done', lsn: FIRST_LSN }),
});
