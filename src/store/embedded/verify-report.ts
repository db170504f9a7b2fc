/** The result of `guard verify`: plain data, printed as JSON unchanged. */
import type { Lsn } from '../../core/ledger.ts';

/** Called during the walk with the number of bytes newly read, and the total. */
export type OnRead = (bytes: number, total: number) => void;

/** Something that guard did not write that way. `kind` says what, the other fields where. */
export interface Problem {
  readonly kind:
    | 'bad_record'
    | 'misplaced_record'
    | 'broken_chain'
    | 'unfinished_commit'
    | 'missing_segment'
    | 'overlapping_segment'
    | 'shorter_than_acknowledged'
    | 'newer_version'
    | 'unsafe_file'
    | 'index_differs'
    | 'bad_checkpoint'
    /** Intact or not, this copy was not adopted here. */
    | 'copied';
  readonly file: string;
  readonly lsn?: Lsn;
  /** Byte offset in the file. */
  readonly offset?: number;
  readonly bytes?: number;
  readonly reason?: string;
}

/** Something worth knowing that is not damage: guard repairs it without being asked. */
export interface Note {
  readonly kind:
    | 'torn_tail'
    | 'foreign_line'
    | 'cut'
    | 'index_behind'
    | 'index_absent'
    | 'index_keys'
    | 'index_not_checked'
    | 'compacted';
  readonly file: string;
  readonly lsn?: Lsn;
  readonly offset?: number;
  readonly bytes?: number;
  readonly reason?: string;
}

export interface SegmentReport {
  readonly file: string;
  readonly first: Lsn;
  readonly end: Lsn;
  readonly records: number;
}

/** Printed as JSON unchanged. `ok`: no problems. */
export interface VerifyReport {
  readonly ok: boolean;
  readonly records: number;
  readonly bytes: number;
  /** First lsn in the ledger; `end` is the lsn after the last complete record. */
  readonly first: Lsn;
  readonly end: Lsn;
  readonly keys: number;
  readonly segments: readonly SegmentReport[];
  readonly problems: readonly Problem[];
  readonly notes: readonly Note[];
}

/** Damage that can only be repaired by giving up records. */
export const LOSSES: readonly Problem['kind'][] = [
  'bad_record',
  'misplaced_record',
  'broken_chain',
  'unfinished_commit',
  'missing_segment',
  'overlapping_segment',
  'shorter_than_acknowledged',
];

export type Repair = 'init' | 'update' | 'quarantine' | 'fix';

/** The repair to do first: damage before the question of whose ledger it is. */
export function repairOf(problems: readonly Problem[]): Repair {
  const has = (kind: Problem['kind']): boolean => problems.some((problem) => problem.kind === kind);
  if (has('newer_version')) return 'update';
  if (LOSSES.some(has)) return 'quarantine';
  return has('copied') ? 'init' : 'fix';
}

const KIND_OF_DAMAGE = { lsn: 'misplaced_record', prev: 'broken_chain', batch: 'unfinished_commit' } as const;

export function problemOf(damage: string): Problem['kind'] {
  return damage in KIND_OF_DAMAGE ? KIND_OF_DAMAGE[damage as keyof typeof KIND_OF_DAMAGE] : 'bad_record';
}
