/** Codex's patch format: `*** Begin Patch`, files that are added, updated, deleted or moved, `*** End Patch`. Pure. */

/** One place in a file: the lines to find, and the lines that replace them. */
export interface PatchHunk {
  /** A line above it, given after `@@`; null if none was named. */
  readonly below: string | null;
  readonly old: readonly string[];
  readonly now: readonly string[];
  readonly at_end: boolean;
}

/** One file, as named in the patch. */
export type Change =
  | { readonly does: 'add'; readonly path: string; readonly content: string }
  | { readonly does: 'delete'; readonly path: string }
  | {
      readonly does: 'update';
      readonly path: string;
      readonly to: string | null;
      readonly hunks: readonly PatchHunk[];
    };

const FILE = /^\*\*\* (Add|Delete|Update) File: (\S.*)$/;
const MOVE = /^\*\*\* Move to: (\S.*)$/;
/** Characters that one client treats as white space and another as part of the name. */
const UNSURE = /^[ \t]*\*\*\* .*[\u0085\ufeff]/m;

/** Null if the text is not in that format, so its targets are unknown. */
export function parsePatch(text: string): readonly Change[] | null {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const first = lines.findIndex((line) => line.trim() === '*** Begin Patch');
  const last = lines.findLastIndex((line) => line.trim() === '*** End Patch');
  if (first < 0 || UNSURE.test(text)) return null;
  const rest = lines.slice(first + 1, last < first ? undefined : last);
  const changes: Change[] = [];
  while (rest.length > 0) {
    const line = (rest.shift() ?? '').trim();
    const [, does, path = ''] = FILE.exec(line) ?? [];
    if (does === undefined) {
      if (line === '' || line.startsWith('*** Environment')) continue;
      return null;
    }
    changes.push(READ[does as keyof typeof READ](path.trim(), rest));
  }
  return changes;
}

/** Each parser consumes its own lines. */
const READ = {
  Add: (path: string, rest: string[]): Change => ({ does: 'add', path, content: addedLines(rest) }),
  Delete: (path: string): Change => ({ does: 'delete', path }),
  Update: (path: string, rest: string[]): Change => {
    const [, to = null] = MOVE.exec(rest[0]?.trim() ?? '') ?? [];
    if (to !== null) rest.shift();
    return { does: 'update', path, to: to?.trim() ?? null, hunks: hunksIn(rest) };
  },
};

function addedLines(rest: string[]): string {
  let content = '';
  while (rest[0]?.startsWith('+') === true) content += `${rest.shift()?.slice(1) ?? ''}\n`;
  return content;
}

function hunksIn(rest: string[]): readonly PatchHunk[] {
  const hunks: PatchHunk[] = [];
  while (rest.length > 0 && !/^\s*\*\*\* /.test(rest[0] ?? '')) {
    if ((rest[0] ?? '').trim() === '') rest.shift();
    else {
      const before = rest.length;
      hunks.push(hunkIn(rest));
      // A line that no patch contains: the client refuses it, too.
      if (rest.length === before) break;
    }
  }
  return hunks;
}

function hunkIn(rest: string[]): PatchHunk {
  const [, below = null] = /^@@(?: (.*))?$/.exec(rest[0] ?? '') ?? [];
  if (rest[0]?.startsWith('@@') === true) rest.shift();
  const [old, now]: [string[], string[]] = [[], []];
  for (;;) {
    const line = rest[0];
    if (line?.trim() === '*** End of File') {
      rest.shift();
      return { below, old, now, at_end: true };
    }
    if (line === undefined || !/^[ +-]|^$/.test(line)) return { below, old, now, at_end: false };
    rest.shift();
    if (!line.startsWith('+')) old.push(line.slice(1));
    if (!line.startsWith('-')) now.push(line.slice(1));
  }
}

/** Every path that a patch writes, including both ends of a move. */
export const patchTargets = (changes: readonly Change[]): readonly string[] => [
  ...new Set(
    changes.flatMap((change) =>
      change.does === 'update' && change.to !== null ? [change.path, change.to] : [change.path],
    ),
  ),
];
