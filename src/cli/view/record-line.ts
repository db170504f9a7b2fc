import { isObject } from '../../core/json-object.ts';
import { PATHS, pathOfKey } from '../../core/keys.ts';
import type { LedgerRecord } from '../../core/ledger.ts';
import type { Shell } from '../shell.ts';
import { plain } from '../../core/plain.ts';

/** The fields that every record has; the rest are the facts of its type. */
const FRAME = new Set([
  'v',
  'id',
  'type',
  'ts',
  'agent',
  's',
  'prev',
  'lsn',
  'crc',
  'path',
  'paths',
  'denial',
]);

/** The files a record is about: those it names, and those whose state it carries. */
export function pathsOfRecord(record: LedgerRecord): string[] {
  const named = [record['path'], record['paths']].flat().filter((path) => typeof path === 'string');
  const states = Object.keys(record.s).filter((key) => key.startsWith(PATHS));
  return [...new Set([...named, ...states.map(pathOfKey)])];
}

/** `12:00:00.000  agent  type  paths  fact=value …` on one line, whatever it contains. */
export function recordLine(record: LedgerRecord, { color }: Shell): string {
  const facts = Object.entries(record)
    .filter(([name]) => !FRAME.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const type = record.type === 'write.rejected' ? color.red(record.type) : color.bold(record.type);
  const words = [
    color.dim(record.ts),
    type,
    plain(record.agent),
    denialCode(record),
    ...pathsOfRecord(record).map(plain),
    ...facts.map(plain),
  ];
  return words.filter((word) => word !== '').join('  ');
}

/** '' if the record is not a denial. */
export function denialCode(record: LedgerRecord): string {
  const { denial } = record;
  return isObject(denial) && 'error_type' in denial
    ? typeof denial.error_type === 'string'
      ? denial.error_type
      : ''
    : '';
}
