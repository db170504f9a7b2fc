/** Parses the output of `git merge-tree --stdin -z`. */

/** First and last line, counted from 1; `last < first` is an empty range before line `first`. */
export type LineRange = readonly [first: number, last: number];

export interface FileConflict {
  readonly path: string;
  /** As named by git: `contents`, `modify/delete`, `rename/rename`, `binary`, … */
  readonly kind: string;
  /** Line ranges in the first file and in the second; absent if they cannot be determined. */
  readonly a?: readonly LineRange[];
  readonly b?: readonly LineRange[];
}

export interface MergedTree {
  readonly tree: string;
  /** Empty: a clean merge. */
  readonly conflicts: readonly MergeConflict[];
}

export interface MergeConflict {
  /** Bytes. */
  readonly path: string;
  readonly kind: string;
  /** Blobs of the first and the second, if both have the file. */
  readonly sides: readonly [string, string] | null;
}

/** As many as were answered, in order. */
export function mergesIn(said: string): readonly MergedTree[] {
  const fields = said.split('\0');
  const results: MergedTree[] = [];
  let at = 0;
  const next = (): string => fields[at++] ?? '';
  /** The fields up to an empty one. */
  const section = (): string[] => {
    const found: string[] = [];
    for (let field = next(); field !== ''; field = next()) found.push(field);
    return found;
  };
  while (fields[at] === '0' || fields[at] === '1') {
    const is_clean = next() === '1';
    const tree = next();
    if (is_clean) {
      if (at >= fields.length) break;
      next();
      results.push({ tree, conflicts: [] });
      continue;
    }
    const stages = section();
    const messages = messagesIn(next);
    if (at > fields.length) break;
    results.push({ tree, conflicts: conflictsOf(stages, messages) });
  }
  return results;
}

interface Message {
  readonly paths: readonly string[];
  readonly kind: string;
}

/** Up to an empty field, or to git's advice on submodules, which takes its place. */
function messagesIn(next: () => string): readonly Message[] {
  const found: Message[] = [];
  for (let count = next(); /^\d+$/.test(count); count = next()) {
    const paths = Array.from({ length: Number(count) }, next);
    const [, kind] = /^CONFLICT ?\((.+)\)$/s.exec(next()) ?? [];
    next();
    if (kind !== undefined) found.push({ paths, kind });
  }
  return found;
}

/** A few conflicts, such as renamed directories, leave no file with stages. Never empty, because git reported a conflict. */
function conflictsOf(stages: readonly string[], messages: readonly Message[]): readonly MergeConflict[] {
  const blobs = new Map<string, Map<string, string>>();
  for (const line of stages) {
    const [, blob = '', stage = '', path = ''] = /^\d+ (\S+) (\d)\t(.*)$/s.exec(line) ?? [];
    blobs.set(path, (blobs.get(path) ?? new Map<string, string>()).set(stage, blob));
  }
  const paths = blobs.size > 0 ? [...blobs.keys()] : [...new Set(messages.flatMap((one) => one.paths))];
  return (paths.length > 0 ? paths : ['.']).sort().map((path) => {
    const [ours, theirs] = ['2', '3'].map((stage) => blobs.get(path)?.get(stage));
    const kind = messages.find((one) => one.paths.includes(path))?.kind ?? 'contents';
    return { path, kind, sides: ours === undefined || theirs === undefined ? null : [ours, theirs] };
  });
}
