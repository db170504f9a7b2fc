/** Which files a patch names. Pure. */
import { unquoted } from './questions.ts';

const NONE = '/dev/null';

/**
 * Both names of every file. `strip`: leading directories to remove (`-p`), 1 by default; the names after `rename` and
 * `copy` have none. Formats: git-diff(1) "GENERATING PATCH TEXT", and plain `diff -u`.
 */
export function filesInPatch(text: string, strip = 1): readonly string[] {
  const found = new Set<string>();
  let git: readonly string[] = [];
  const bare = (name: string): void => {
    const path = unquoted(name.replace(/\t.*$/s, ''));
    if (path !== NONE && path !== '') found.add(path.split('/').slice(strip).join('/'));
  };
  for (const line of text.split(/\r?\n/)) {
    const [, kind, name = ''] = /^(---|\+\+\+|rename from|rename to|copy to) (.+)$/.exec(line) ?? [];
    if (line.startsWith('diff --git ')) git = named(line.slice('diff --git '.length));
    else if (kind === '---' || kind === '+++') bare(name);
    else if (kind !== undefined) found.add(unquoted(name));
    // Binary files, new empty files and mode changes have no `---` line.
    else if (/^(?:GIT binary patch|Binary files |new file mode|deleted file mode|old mode)/.test(line))
      git.forEach(bare);
  }
  found.delete('');
  return [...found];
}

/** `a/one b/one`: unquoted, the two names differ only in their first component. */
function named(words: string): readonly string[] {
  const [, quoted, other] = /^("(?:[^"\\]|\\.)*")\s+(.+)$/s.exec(words) ?? [];
  if (quoted !== undefined && other !== undefined) return [quoted, other];
  const half = (words.length - 1) / 2;
  const [left, right] = [words.slice(0, half), words.slice(half + 1)];
  return left.replace(/^[^/]*\//, '') === right.replace(/^[^/]*\//, '') ? [left, right] : words.split(' ');
}
