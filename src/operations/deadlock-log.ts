/** The wait-for graph at the end of a log file, in constant memory per line. */
import { createReadStream, statSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';
import { GuardError } from '../core/error.ts';
import { applyRecord, type Snapshot, viewOf } from '../core/fold.ts';
import type { LedgerRecord } from '../core/ledger.ts';
import { momentAfter } from '../core/moment.ts';
import { statusOf } from '../core/report.ts';
import { applyLine, edgesOfStanding, lineOf, nobody } from '../core/rules/foreign-log.ts';
import { type Cycle, cyclesOf, type GraphEdge } from '../core/rules/wait-graph.ts';
import type { Facts, Now } from '../core/types.ts';

export interface Graph {
  readonly edges: readonly GraphEdge[];
  readonly cycles: readonly Cycle[];
}

/**
 * One of guard's ledgers is evaluated at the moment of its last record, by the states in it; any other log by its hold,
 * wait and release records alone. `pipes`: allow a pipe, whose end the caller has to ensure.
 */
export async function graphOfLog(
  file: string,
  policy: Facts['policy'],
  { pipes }: { readonly pipes: boolean },
): Promise<Graph> {
  const standing = nobody();
  const snapshot: Snapshot = new Map();
  let last: Now = { wall_ms: 0, mono_ms: 0, boot: '' };
  let own = 0;
  for await (const value of linesOf(file, pipes)) {
    if (isRecord(value)) {
      own++;
      applyRecord(snapshot, value);
      last = momentAfter(last, value);
    } else {
      const line = lineOf(value);
      if (line !== null) applyLine(standing, line);
    }
  }
  const foreign = edgesOfStanding(standing);
  if (own === 0) return { edges: foreign, cycles: cyclesOf(foreign) };
  const facts: Facts = { now: last, policy, machine: '', isDead: () => false, guard_command: 'guard' };
  const { waits, cycles } = statusOf(viewOf(snapshot), facts);
  if (foreign.length === 0) return { edges: waits, cycles };
  const edges = [...waits, ...foreign];
  const told = cycles.filter(({ state }) => state === 'told');
  return { edges, cycles: cyclesOf(edges, told) };
}

/** guard's longest record is a denial of many files, far below 1 MB. */
const LINE_CHARS = 1 << 20;

async function* linesOf(file: string, pipes: boolean): AsyncGenerator {
  try {
    for await (const line of cappedLines(streamOf(file, pipes))) {
      const value = parse(line);
      if (value !== undefined) yield value;
    }
  } catch (error) {
    const hint = 'Name a file of JSON lines.';
    throw new GuardError('GUARD_ERR_IO', `${file} cannot be read.`, hint, { file }, error);
  }
}

/** Reads no more of a file than it has now: it may grow, or the kernel may generate it on reading. */
function streamOf(file: string, pipes: boolean): AsyncIterable<string> {
  const stat = statSync(file);
  if (pipes && stat.isFIFO()) return createReadStream(file, 'utf8');
  if (!stat.isFile()) throw new Error('it is not a regular file');
  return createReadStream(file, { encoding: 'utf8', end: Math.max(0, stat.size - 1) });
}

/** A line longer than any record is not a record: it is skipped to the next line, and never held in memory. */
async function* cappedLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  let is_cut = false;
  for await (const chunk of chunks) {
    const lines = chunk.split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) {
      if (!is_cut) yield rest + line;
      rest = '';
      is_cut = false;
    }
    if (rest.length + last.length > LINE_CHARS) is_cut = true;
    rest = is_cut ? '' : rest + last;
  }
  if (!is_cut) yield rest;
}

/** A torn last line must not prevent an answer about the rest. */
const parse = (line: string): unknown => attempt((): unknown => JSON.parse(line), undefined);

const isRecord = (value: unknown): value is LedgerRecord =>
  typeof value === 'object' &&
  value !== null &&
  's' in value &&
  'lsn' in value &&
  typeof value.s === 'object';
