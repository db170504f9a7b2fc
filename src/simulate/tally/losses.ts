/**
 * What was really lost, whatever guard would have said: lines that one agent wrote and another agent's write removed without
 * having seen them. A loss is proven by the texts in the transcripts, or not counted.
 */
import type { AgentId, Digest, RepoPath } from '../../core/types.ts';
import type { Texts } from '../world/texts.ts';
import { lineCounts, linesGone, linesMade } from './lines-made.ts';

/** The digest of a text; null: no file; undefined: not shown. */
export type ShownText = Digest | null | undefined;

interface WriteThen {
  readonly path: RepoPath;
  readonly agent: AgentId;
  readonly began_ms: number;
  readonly at_ms: number;
  /** What it replaced, according to its own result; if that does not say, the content at that time. */
  readonly before: ShownText;
  readonly after: ShownText;
  /** When its agent last knew the whole file, and last saw a part of it; 0: never. */
  readonly knew_ms: number;
  readonly saw_part_ms: number;
  /** It contains the whole file, not the text that it replaces. */
  readonly is_whole: boolean;
  readonly would_be_denied: boolean;
}

/**
 * `overwritten`: the lines were there, and the write left them out. `raced`: the write replaced the content from before they
 * were added.
 */
export interface LossThen {
  readonly path: RepoPath;
  readonly how: 'overwritten' | 'raced';
  readonly at_ms: number;
  readonly by: AgentId;
  readonly made_by: AgentId;
  readonly made_ms: number;
  readonly lines: readonly string[];
  readonly would_be_denied: boolean;
}

/** Why it is unknown whether a write removed something. */
export type Unprovable = 'not_shown' | 'not_kept' | 'seen_in_part' | 'by_command';

export interface Losses {
  readonly note: (write: WriteThen) => void;
  /** A command line wrote the file, and nothing shows what it wrote. */
  readonly noteCommand: (path: RepoPath, agent: AgentId, at_ms: number, knew_ms: number) => void;
  readonly proven: readonly LossThen[];
  readonly unprovable: ReadonlyMap<Unprovable, number>;
}

/** Older writes of a file have been seen by everyone, or are lost. */
const PAST_MAX = 16;

/** A result is dated when the client has it; under load that was up to 900 ms after the write. */
const REPORTED_LATE_MS = 1_000;

type Past = Pick<WriteThen, 'agent' | 'at_ms' | 'before' | 'after'>;

export function openLosses(texts: Texts): Losses {
  const past = new Map<RepoPath, Past[]>();
  const proven: LossThen[] = [];
  const unprovable = new Map<Unprovable, number>();
  const doubt = (why: Unprovable): void => void unprovable.set(why, (unprovable.get(why) ?? 0) + 1);
  const unseen = (path: RepoPath, agent: AgentId, knew_ms: number): readonly Past[] =>
    (past.get(path) ?? []).filter((one) => one.agent !== agent && one.at_ms > knew_ms);
  const keep = (path: RepoPath, write: Past, lost: readonly Past[] = []): void => {
    const before = (past.get(path) ?? []).filter((one) => !lost.includes(one));
    past.set(path, [...before, write].slice(-PAST_MAX));
  };
  return {
    proven,
    unprovable,
    note(write) {
      const lost: Past[] = [];
      for (const one of unseen(write.path, write.agent, write.knew_ms)) {
        const found = judgeLoss(one, write, texts);
        if (typeof found === 'string') doubt(found);
        else if (found !== null) {
          proven.push(found);
          lost.push(one);
        }
      }
      const { agent, at_ms, before, after } = write;
      keep(write.path, { agent, at_ms, before, after }, lost);
    },
    noteCommand(path, agent, at_ms, knew_ms) {
      if (unseen(path, agent, knew_ms).length > 0) doubt('by_command');
      keep(path, { agent, at_ms, before: undefined, after: undefined });
    },
  };
}

/** Null if this write loses nothing of it, as far as the texts show. */
function judgeLoss(made: Past, write: WriteThen, texts: Texts): LossThen | Unprovable | null {
  const { before, after } = write;
  const isSideBySide = made.at_ms >= write.began_ms - REPORTED_LATE_MS;
  const isRace = isSideBySide && before !== undefined && before === made.before && before !== made.after;
  // The text that an edit removes is in its old text, so its agent knew it.
  if (!write.is_whole && !isRace) return null;
  if (before === undefined || after === undefined || made.before === undefined || made.after === undefined)
    return 'not_shown';
  const [made_before, made_after, had, left] = [made.before, made.after, before, after].map((one) =>
    one === null ? null : texts.get(one),
  );
  if (made_before === undefined || made_after === undefined || had === undefined || left === undefined)
    return 'not_kept';
  const lines_made = linesMade(lineCounts(made_before), lineCounts(made_after));
  const stood = lineCounts(isRace ? made_after : had);
  const lines = linesGone(lines_made, stood, lineCounts(left));
  if (lines.length === 0) return null;
  if (write.saw_part_ms > made.at_ms) return 'seen_in_part';
  return {
    ...{ path: write.path, how: isRace ? 'raced' : 'overwritten', lines },
    ...{ at_ms: write.at_ms, by: write.agent, made_by: made.agent, made_ms: made.at_ms },
    would_be_denied: write.would_be_denied,
  };
}
