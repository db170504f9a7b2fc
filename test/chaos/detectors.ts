/**
 * Small, quick, named ways to notice a broken engine. Each returns what it noticed, and nothing for the correct engine.
 * The other chaos tests look longer and at more; these show that they look at the right things.
 */
import {
  flippedIndexes,
  foreign,
  forgottenIds,
  keptTail,
  laggingIndexes,
  writingReads,
} from './detect/caches.ts';
import { faultsIn } from './detect/faults.ts';
import { newerRecords, unsafeFiles, unsynced } from './detect/files.ts';
import { cutImages, flippedImages, forgedRecords } from './detect/images.ts';
import { timesThatGoBack, tornLooks } from './detect/looks.ts';
import { lostAdditions, staleCommits } from './detect/races.ts';
import { movedSegments, powerCuts, removedSegments, shortenedLedger } from './detect/segments.ts';
import { compaction, differences } from './detect/states.ts';
import type { Detector } from './detect/tools.ts';

export const DETECTORS = {
  'lost additions': lostAdditions,
  'stale commits': staleCommits,
  'torn looks': tornLooks,
  'times that go back': timesThatGoBack,
  'faults in a plain commit': faultsIn('a plain commit'),
  'faults in a split': faultsIn('a commit that splits buckets'),
  'cut images': cutImages,
  'flipped images': flippedImages,
  'forged records': forgedRecords,
  'moved segments': movedSegments,
  'removed segments': removedSegments,
  'a shortened ledger': shortenedLedger,
  'a kept tail': keptTail,
  'flipped indexes': flippedIndexes,
  'foreign indexes': foreign('index'),
  'foreign checkpoints': foreign('checkpoint-'),
  'power cuts': powerCuts,
  'differences to memory': differences,
  'forgotten ids': forgottenIds,
  'lagging indexes': laggingIndexes,
  'faults in a synced commit': faultsIn('a plain commit, fsync'),
  'reads that write': writingReads,
  compaction,
  'unsynced commits': unsynced,
  'newer records': newerRecords,
  'unsafe files': unsafeFiles,
} satisfies Readonly<Record<string, Detector>>;

export type DetectorName = keyof typeof DETECTORS;
