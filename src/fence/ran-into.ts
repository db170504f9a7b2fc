/** Which held files a command failed to write, derived from what it printed. Pure. */
import type { Entry } from './held.ts';
import type { HelperKind } from './site.ts';

/** Messages of programs for EROFS and EBUSY: nearly always caused by the fence. */
const BY_MOUNT = /read-only file system|\bEROFS\b|device or resource busy|\bEBUSY\b/i;
/** Used by Landlock and sandbox-exec, but also elsewhere: only counts if one of those is the fence and the line names a held file. */
const BY_RULE = /permission denied|operation not permitted|\bEACCES\b|\bEPERM\b/i;

const LINES_MOST = 2_000;

/**
 * Looks for lines that name a file by its full path, relative to the working directory, or by its base name; if there
 * are none, uses what the command was meant to write.
 * @param more.targets absolute paths, only asked for if a line was about the fence but named no file
 */
export function ranInto(
  shown: string,
  others: readonly Entry[],
  cwd: string,
  { targets, by }: { readonly targets: () => readonly string[]; readonly by: HelperKind },
): readonly Entry[] {
  const isRule = by === 'landlock' || by === 'sandbox';
  const isAbout = (text: string): boolean => BY_MOUNT.test(text) || (isRule && BY_RULE.test(text));
  if (others.length === 0 || !isAbout(shown)) return [];
  const lines = shown.split('\n').slice(0, LINES_MOST);
  const told = lines.filter(isAbout);
  const named = others.filter((entry) => told.some((line) => names(line, entry.path, cwd)));
  if (named.length > 0) return once(named);
  if (!told.some((line) => BY_MOUNT.test(line))) return [];
  const meant = targets();
  return once(others.filter(({ path }) => meant.some((target) => isAt(target, path))));
}

const isAt = (target: string, held: string): boolean => target === held || target.startsWith(`${held}/`);

function names(line: string, path: string, cwd: string): boolean {
  if (isNamed(line, path, path) || line.includes(`${path}/`)) return true;
  if (path.startsWith(`${cwd}/`)) {
    const below = path.slice(cwd.length + 1);
    if (isNamed(line, below, path) || line.includes(`${below}/`)) return true;
  }
  return isNamed(line, path.slice(path.lastIndexOf('/') + 1), path);
}

/** As a separate word: `a.txt` does not match in `data.txt` or `a.txt.bak`. `path` is the file that the name would stand for. */
function isNamed(line: string, name: string, path: string): boolean {
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1)) {
    const [before, after] = [line[at - 1] ?? ' ', line[at + name.length] ?? ' '];
    const isEnd = !/[\w-]/.test(after) && !(after === '.' && /\w/.test(line[at + name.length + 1] ?? ''));
    if (!/[\w.-]/.test(before) && isEnd && isSame(line.slice(0, at), path, name)) return true;
  }
  return false;
}

/** Directories before a name must be the file's own or unknown, because a command may run anywhere. */
function isSame(before: string, path: string, name: string): boolean {
  const dirs = /[^\s'"`(=]*\/$/.exec(before)?.[0] ?? '';
  const above = path.slice(0, path.length - name.length);
  if (dirs.startsWith('/')) return above === dirs;
  const known = dirs.replace(/^(?:\.\.?\/)+/, '');
  return known === '' || above.endsWith(`/${known}`);
}

function once(entries: readonly Entry[]): readonly Entry[] {
  const seen = new Set<string>();
  return entries.filter(({ path }) => !seen.has(path) && seen.add(path));
}
