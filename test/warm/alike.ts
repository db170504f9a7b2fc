/** Removes what differs between two runs of the same events: where, when, and in which process they ran. */
import type { Scratch } from '../claude/driver.ts';
import { dirname } from 'node:path';

/** Numbers from here on are times, processes, or positions in the ledger and on disk. */
const LARGE = 100;

const plain = (text: string, at: Scratch): string =>
  text
    .replaceAll(dirname(at.root), '<base>')
    // From the shell that starts a command in tests, if its working directory is gone.
    .replace(/^sh: 0: getcwd\(\) failed: .*\n/, '')
    // A seal depends on the user's key, and each repository here has a separate user.
    .replace(/(# guard:\S+) [0-9a-f]{8}/g, '$1 <seal>')
    // After a process was killed, opening the ledger repairs it first, which a full disk prevents as it prevents writing.
    .replace(/Cannot (?:open the ledger in [^:]+|write to the ledger): /, 'Cannot write: ')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/\b\d+(?:\.\d+)? ?(?:ms|s|seconds?|min|[mhd])\b/g, '<span>')
    .replace(/\b\d+:\d{3,}\b/g, '<inode>')
    .replace(/\b\d{3,}\b/g, '<number>')
    .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{12,}\b/g, '<digest>');

/** A duration may be below LARGE, and two messages may have been sent in the same minute in one repository only. */
const anew = (at: Scratch) => (name: string, value: unknown) =>
  name === 'sent' || (typeof value === 'number' && (value >= LARGE || name.endsWith('_ms')))
    ? '<number>'
    : typeof value === 'string'
      ? plain(value, at)
      : value;

export const answerIn = (
  at: Scratch,
  told: { exit: number | null; stdout: string; stderr: string },
): string => JSON.stringify([told.exit, plain(told.stdout, at), plain(told.stderr, at)]);

const OF_PLACE: ReadonlySet<string> = new Set(['ts', 'lsn', 'prev', 'crc', 'more', 'hook_ms']);

/** Keeps the part of a record's id that names the transaction, without the request. */
export const recordsIn = (at: Scratch): readonly string[] =>
  at.log().map(({ id, s: states = {}, ...record }) => {
    // A listing's order is that of the index, which differs once it was rebuilt.
    const s = Object.fromEntries(Object.entries(states as object).sort(([a], [b]) => (a < b ? -1 : 1)));
    const facts = Object.entries({ ...record, s }).filter(([name]) => !OF_PLACE.has(name));
    return JSON.stringify(
      { id: String(id).replace(/^(?:[0-9a-f]{20}|lsn:[0-9a-f]+)/, ''), ...Object.fromEntries(facts) },
      anew(at),
    ).replace(/\b([mr])-\d+\b/g, '$1-<number>');
  });

const BEFORE_CHARS = 300;
const AFTER_CHARS = 700;

/** The first difference with some context, or an empty text. */
export function difference(one = '', other = ''): string {
  if (one === other) return '';
  const at = one.split('').findIndex((char, n) => char !== other[n]);
  const begin = Math.max(0, (at === -1 ? one.length : at) - BEFORE_CHARS);
  return [one, other].map((text) => text.slice(begin, begin + BEFORE_CHARS + AFTER_CHARS)).join('\n  but\n');
}
