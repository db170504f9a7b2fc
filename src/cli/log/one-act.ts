/** Records that one act wrote file by file, as one for people: taking back 13 files from an agent is one line. */
import type { LedgerRecord } from '../../core/ledger.ts';
import { pathsOfRecord } from '../view/record-line.ts';

/** Both return what can be shown. */
export interface Acts {
  readonly add: (record: LedgerRecord) => readonly LedgerRecord[];
  readonly rest: () => readonly LedgerRecord[];
}

/** For programs: every record by itself. */
export const EACH_ALONE: Acts = { add: (record) => [record], rest: () => [] };

export function actsTogether(): Acts {
  let open: LedgerRecord[] = [];
  const rest = (): readonly LedgerRecord[] => {
    const [first, ...more] = open;
    open = [];
    return first === undefined ? [] : more.length === 0 ? [first] : [asOne(first, more)];
  };
  return {
    add(record) {
      const [first] = open;
      if (first !== undefined && isSameAct(first, record)) {
        open.push(record);
        return [];
      }
      const ready = rest();
      if (!isOfFile(record)) return [...ready, record];
      open.push(record);
      return ready;
    },
    rest,
  };
}

/** A lock that an agent lost, not a reservation. */
const isOfFile = (record: LedgerRecord): boolean => record.type === 'revoke' && 'path' in record;

const SAME = ['agent', 'to', 'cause', 'ts'] as const;
const isSameAct = (first: LedgerRecord, record: LedgerRecord): boolean =>
  isOfFile(record) && SAME.every((fact) => first[fact] === record[fact]);

const asOne = (first: LedgerRecord, more: readonly LedgerRecord[]): LedgerRecord => ({
  ...first,
  paths: [first, ...more].flatMap(pathsOfRecord),
});
