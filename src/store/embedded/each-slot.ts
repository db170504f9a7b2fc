/** Lists the slots of an index. A listing scans the whole table for a few slots, so nothing is allocated for the others. */
import type { Lsn } from '../../core/ledger.ts';
import type { Fingerprint } from '../fingerprint.ts';
import type { IndexShape } from './header.ts';
import { type Page, pageWord } from './page.ts';
import type { Pages } from './pages.ts';
import { bucketOf, eachPage, FIRST_SLOT, lsnOf, printAt, SLOT_WORDS, slotEnd } from './table.ts';

/** The keys of a kind, in an index that goes up to `end`. */
export interface SlotKind {
  readonly kind: number;
  readonly end: Lsn;
}

/** The last words of their slots. A killed process may have left slots of records that the index does not know yet. */
const lastWords = ({ kind, end }: SlotKind): readonly number[] =>
  Array.from({ length: Math.floor(end / 0x1_0000_0000) + 2 }, (_, high) => (kind << 16) | high);

/** Visits every slot of a kind, or of all, that lies in its own bucket, skipping those that a killed split left in the old one. */
export function eachSlot(
  pages: Pages,
  shape: IndexShape,
  wanted: SlotKind | undefined,
  visit: (print: Fingerprint, lsn: Lsn) => void,
): void {
  const words = wanted && lastWords(wanted);
  eachPage(pages, shape, (page, bucket) => {
    const look = (at: number): void => {
      if (bucketOf(shape, pageWord(page, at + 1)) === bucket) visit(printAt(page, at), lsnOf(page, at));
    };
    if (words === undefined)
      for (let at = FIRST_SLOT, end = slotEnd(page); at < end; at += SLOT_WORDS) look(at);
    else for (const word of words) eachWith(page, word, look);
  });
}

/** A native search: looked at one by one, 12,000 slots of other kinds take a cold process 5 ms. */
function eachWith(page: Page, word: number, look: (at: number) => void): void {
  const end = slotEnd(page);
  for (let at = page.indexOf(word, FIRST_SLOT); at >= 0 && at < end; at = page.indexOf(word, at + 1))
    if (at % SLOT_WORDS === SLOT_WORDS - 1) look(at + 1 - SLOT_WORDS);
}
