/**
 * Maintenance of this machine's ledger: its files, their repair, compaction and copies. Only the embedded engine has
 * files, so none of this is part of the store's interface. Callers come here instead of importing an engine.
 */
export { adoptCopy, isCopy } from './embedded/adopt.ts';
export type { AdoptOptions, Leaps } from './embedded/adopt.ts';
export { alone } from './embedded/alone.ts';
export { archivedBytes, archiveSize, scanArchive, ZIPPED } from './embedded/archive.ts';
export type { ArchiveSize } from './embedded/archive.ts';
export { tendArchive } from './embedded/archive-tend.ts';
export type { ArchiveReport } from './embedded/archive-tend.ts';
export { CLOSED_SEGMENT, closeLedger, isClosed } from './embedded/closed.ts';
export { compactIsDue, compactLedger } from './embedded/compact.ts';
export type { CompactReport } from './embedded/compact-report.ts';
export { INDEX, list, segmentName } from './embedded/files.ts';
export type { Header } from './embedded/header.ts';
export { openIndex } from './embedded/index-file.ts';
export { lockSync } from './embedded/lock.ts';
export { repairLedger } from './embedded/repair.ts';
export { scanSince } from './embedded/seek.ts';
export { recordsSince } from './embedded/since.ts';
export { verifyLedger } from './embedded/verify.ts';
export type { OnRead, Problem, VerifyReport } from './embedded/verify.ts';
export { repairOf } from './embedded/verify-report.ts';
export type { Repair } from './embedded/verify-report.ts';
