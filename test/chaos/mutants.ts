/**
 * Bugs to plant: the change to the source, and the detector that must notice it. `from` must occur exactly once in the
 * bundle, so a mutant cannot silently change nothing.
 */
import type { DetectorName } from './detectors.ts';
import type { Mutation } from './engine.ts';
import { FILE_MUTANTS } from './mutants-of-files.ts';
import { LOOK_MUTANTS } from './mutants-of-looks.ts';
import { READER_MUTANTS } from './mutants-of-readers.ts';

export interface Mutant extends Mutation {
  readonly name: string;
  readonly by: DetectorName;
}

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'the lock is never taken',
    by: 'lost additions',
    from: 'const result = take(fd, LOCK_EX_NB);',
    to: 'const result = 0;',
  },
  {
    name: 'the lock is shared',
    by: 'lost additions',
    from: 'var LOCK_EX_NB = 2 | 4;',
    to: 'var LOCK_EX_NB = 1 | 4;',
  },
  {
    name: 'the lock is freed before the work',
    by: 'lost additions',
    from: /return useLedger\((place\d*), held\d*, writable, /,
    to: 'held.free(); return useLedger($1, { ...held, free() {} }, writable, ',
  },
  {
    name: 'a failed write is acknowledged',
    by: 'faults in a plain commit',
    from: /writeWhole\(fd, bytes, durable\);/,
    to: 'try { writeWhole(fd, bytes, durable); } catch {}',
  },
  {
    name: 'a short write is taken for whole',
    by: 'faults in a plain commit',
    from: 'if (written !== bytes.length) throw Object.assign(new Error("short write"), { code: "ENOSPC" });\n  if (durable)',
    to: 'if (durable)',
  },
  {
    name: 'a failed write is not taken back',
    by: 'faults in a synced commit',
    from: 'const undone = takeBack(fd, applied - base);',
    to: 'const undone = true;',
  },
  {
    name: 'the index is written before the ledger',
    by: 'faults in a plain commit',
    from: /(write\d*)\(ledger, (oneBuffer\d*)\((placed\d*)\.map\(\(\{ line: (line\d*) \}\) => \4\.bytes\)\), durable\);\n {2}try \{\n {4}indexAll\(ledger, \3\);/,
    to: 'const at = ledger.header.applied; indexAll(ledger, $3);\n  ledger.header.applied = at; $1(ledger, $2($3.map(({ line: $4 }) => $4.bytes)), durable);\n  try {',
  },
  {
    name: 'a lagging index is not caught up',
    by: 'faults in a plain commit',
    from: 'header.base + segmentFile(ledger, header.base).size === header.applied;',
    to: 'true;',
  },
  {
    name: 'the header is written before the pages',
    by: 'faults in a plain commit',
    from: /(write\d*)\(fd, changedOnes\);\n {6}writePage\(fd, after, 0\);/,
    to: 'writePage(fd, after, 0);\n      $1(fd, changedOnes);',
  },
  {
    name: 'old pages are written before the new shape',
    by: 'faults in a split',
    from: 'if (grown !== void 0) writePage(fd, grown, 0);',
    to: '',
  },
  {
    name: 'a torn tail is not cut',
    by: 'cut images',
    from: /\(0, import_node_fs\d+\.ftruncateSync\)\(file\.fd, tail\.lsn - header\.base\);/,
    to: '',
  },
  {
    name: 'a torn tail is not kept aside',
    by: 'a kept tail',
    from: 'const name = keepAside(ledger.dir, tail.lsn, whole, facts.durable);',
    to: 'const name = "";',
  },
  {
    name: 'damage before whole records is cut like a torn tail',
    by: 'flipped images',
    from: 'if (cause === void 0) throw damagedAt(header.base, { lsn: tail.damaged, damage: tail.damage });',
    to: '',
  },
  {
    name: 'the checksum is ignored',
    by: 'flipped images',
    from: 'hex8(sum(bytes, start2, end - SEAL_BYTES))',
    to: 'seal.slice(8, 16)',
  },
  {
    name: 'the frame of the checksum is ignored',
    by: 'flipped images',
    from: 'if (seal !== `,"crc":"${hex8(sum(bytes, start2, end - SEAL_BYTES))}"}`)',
    to: 'if (!seal.includes(hex8(sum(bytes, start2, end - SEAL_BYTES))))',
  },
  {
    name: 'the chain is not followed',
    by: 'forged records',
    from: 'return prev === void 0 || record.prev === prev ? void 0 : "prev";',
    to: 'return void 0;',
  },
  {
    name: 'the place of a record is not checked',
    by: 'moved segments',
    from: 'if (record.lsn !== lsn) return "lsn";',
    to: '',
  },
  {
    name: 'a removed segment is not missed',
    by: 'removed segments',
    from: 'if (end === following || end === followsAt(ledger.dir, following)) continue;',
    to: 'continue;',
  },
  {
    name: 'a removed first segment is not missed',
    by: 'removed segments',
    from: 'if (lowest !== void 0 && lowest > Math.max(header.dropped, FIRST_LSN)) {',
    to: 'if (false) {',
  },
  {
    name: 'a ledger that became shorter is not noticed',
    by: 'a shortened ledger',
    from: 'throw shorter(ledger, seen.acknowledged);',
    to: ';',
  },
  {
    name: 'the checksum of a page is ignored',
    by: 'flipped indexes',
    from: 'if (got !== PAGE_BYTES || !isSealed(page, number))',
    to: 'if (got !== PAGE_BYTES)',
  },
  {
    name: 'the index of another ledger is believed',
    by: 'foreign indexes',
    from: 'if (!shortened && !tipMatches(ledger, header)) return false;',
    to: '',
  },
  {
    name: 'the checkpoint of another ledger is believed',
    by: 'foreign checkpoints',
    from: 'header.version <= RECORD_VERSION && ledger.segments.includes(header.base) && tipMatches(ledger, header)',
    to: 'true',
  },
  {
    name: 'an index survives a reboot',
    by: 'power cuts',
    from: 'if (header.boot !== bootPrint(now.boot) || header.home',
    to: 'if (header.home',
  },
  {
    name: 'lost lsns are given out again',
    by: 'power cuts',
    from: 'const lost = Math.max(seen.lost, cut?.cause === "power_loss" ? cut.at + cut.bytes : 0);',
    to: 'const lost = 0;',
  },
  {
    name: 'a token is used again',
    by: 'differences to memory',
    from: 'const lsn = ledger.header.applied;',
    to: 'const lsn = ledger.header.base;',
  },
  {
    name: 'a removed key stays',
    by: 'differences to memory',
    from: 'if (state === null) removeSlot(pages, header.shape, fingerprint(key), carries(ledger, key));\n    else setSlot',
    to: 'if (state !== null) setSlot',
  },
  {
    name: 'a split loses what moves',
    by: 'differences to memory',
    from: /else if \(bucketOf\(shape, print\d*\.b\) === made\d*\) insertInto\(pages, shape, made\d*, print\d*, lsn\d*\);/,
    to: '',
  },
  {
    name: 'a bucket in its doubling is looked for in the wrong half',
    by: 'differences to memory',
    from: 'return wide2 < shape.buckets ? wide2 : b & level - 1;',
    to: 'return b & level - 1;',
  },
  {
    name: 'a range does not look at the key',
    by: 'differences to memory',
    from: 'state !== null && key.startsWith(prefix) && isSlotOf(prints, key)',
    to: 'state !== null && isSlotOf(prints, key)',
  },
  {
    name: 'a range takes old records for new',
    by: 'differences to memory',
    from: 'return prints.some((print) => same(print, own));',
    to: 'return true;',
  },
  {
    name: 'an id is forgotten',
    by: 'differences to memory',
    from: 'if (lsn2 !== void 0) return { verdict: "repeated", lsn: lsn2 };',
    to: '',
  },
  {
    name: 'a commit does not look whether what it rests on has moved',
    by: 'stale commits',
    from: 'if (read.tip !== lsn && hasMoved(ledger, read))',
    to: 'if (false)',
  },
  {
    name: 'a listing counts as unmoved while its newest entry stays',
    by: 'stale commits',
    from: /version: `\$\{newest\} \$\{oldest\} \$\{entries\d*\.length\}`/,
    to: 'version: String(newest)',
  },
  {
    name: 'a read writes',
    by: 'reads that write',
    from: /return useLedger\((place\d*), held, writable, /,
    to: 'return useLedger($1, held, true, ',
  },
  {
    name: 'compaction forgets what it should carry',
    by: 'compaction',
    from: 'const done = compaction.use(',
    to: 'if (at === 0) continue; const done = compaction.use(',
  },
  {
    name: 'compaction brings old states back',
    by: 'compaction',
    from: 'state !== null && newestOf(ledger, key) === lsn',
    to: 'state !== null',
  },
  {
    name: 'compaction removes before it says so',
    by: 'compaction',
    from: 'Object.assign(header, { dropped: first, first, compacted: applied });',
    to: 'Object.assign(header, { dropped: first, first, compacted: applied }); return;',
  },
  {
    name: 'fsync is skipped',
    by: 'unsynced commits',
    from: /if \(durable\) \(0, import_node_fs\d+\.fdatasyncSync\)\(fd\);/,
    to: '',
  },
  { name: 'the directory is not synced', by: 'unsynced commits', from: 'if (durable) syncDir(dir);', to: '' },
  ...FILE_MUTANTS,
  ...LOOK_MUTANTS,
  ...READER_MUTANTS,
];
