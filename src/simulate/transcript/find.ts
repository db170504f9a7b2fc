/** Finds transcripts: files, folders with everything below them, globs; by default the client's own for one repository. */
import fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { attempt } from '../../core/attempt.ts';
import { GuardError } from '../../core/error.ts';
import { matchesGlob } from '../../core/glob/match.ts';
import { parseGlob } from '../../core/glob/parse.ts';
import { projectsDir } from '../../install/scopes.ts';
import type { Environment } from '../../repo/user-dirs.ts';
import type { BegunTranscript } from './merge.ts';
import { firstLineOf } from './peek.ts';
import type { Unreadable } from './reader.ts';

export interface WantedTranscripts {
  /** Absolute; if empty, the client's own for `roots`. */
  readonly paths: readonly string[];
  /** A repository and its worktrees. */
  readonly roots: readonly string[];
  readonly env: Environment;
  /** Transcripts that ended before this time are not read. */
  readonly since_ms: number;
  readonly unreadable: Unreadable;
}

/** In the order in which they begin. Throws GUARD_ERR_USAGE for a path that does not exist. */
export function transcriptsIn(wanted: WantedTranscripts): readonly BegunTranscript[] {
  const { paths, roots, env, since_ms, unreadable } = wanted;
  const isOwn = (cwd: string): boolean => roots.some((root) => cwd === root || cwd.startsWith(`${root}/`));
  const files = paths.length > 0 ? paths.flatMap(filesAt) : ownFolders(roots, env).flatMap(below);
  const found = eachOnce(files).flatMap((file): BegunTranscript[] => {
    const stat = attempt(() => fs.statSync(file), null);
    if (!stat?.isFile() || stat.mtimeMs < since_ms) return [];
    const sized = { file, bytes: stat.size };
    const first = attempt(() => firstLineOf(sized), undefined);
    if (first === undefined) unreadable.files++;
    if (!first || (paths.length === 0 && !isOwn(first.cwd))) return [];
    return [{ ...sized, at_ms: first.at_ms, uuid: first.uuid }];
  });
  return found.sort((a, b) => a.at_ms - b.at_ms || (a.file < b.file ? -1 : 1));
}

/** By the first of its names: a folder of links, or two paths, may lead to a transcript twice. */
function eachOnce(files: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return files.filter((file) => {
    const real = attempt(() => fs.realpathSync(file), file);
    const isNew = !seen.has(real);
    seen.add(real);
    return isNew;
  });
}

/** The client names a folder after its session's directory, with `-` for anything but letters and digits, and cuts long names. */
const NAME_CHARS = 200;
const folderName = (dir: string): string => dir.replace(/[^a-zA-Z0-9]/g, '-').slice(0, NAME_CHARS);

function ownFolders(roots: readonly string[], env: Environment): readonly string[] {
  const projects = projectsDir(env);
  const names = roots.map(folderName);
  return attempt(() => fs.readdirSync(projects), [])
    .filter((name) => names.some((own) => name.startsWith(own)))
    .map((name) => join(projects, name));
}

const isTranscript = (name: string): boolean => name.endsWith('.jsonl');

const below = (dir: string): readonly string[] =>
  attempt(() => fs.readdirSync(dir, { recursive: true, encoding: 'utf8' }), [])
    .filter(isTranscript)
    .sort()
    .map((name) => join(dir, name));

function filesAt(path: string): readonly string[] {
  const stat = fs.statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory() === true) return below(path);
  if (stat !== undefined) return [path];
  const found = /[*?[{]/.test(path) ? matching(path) : [];
  if (found.length > 0) return found;
  throw new GuardError(
    'GUARD_ERR_USAGE',
    `${path} does not exist.`,
    'Name transcripts (*.jsonl), folders of them, or patterns in quotes.',
    { path },
  );
}

/** For a pattern that no shell has expanded: matched against everything below the part before its first wildcard. */
function matching(pattern: string): readonly string[] {
  const at = pattern.search(/[*?[{]/);
  const base = resolve(dirname(`${pattern.slice(0, at)}x`));
  const glob = parseGlob(pattern.slice(base === '/' ? 1 : base.length + 1));
  return below(base).filter((file) => matchesGlob(glob, file.slice(base === '/' ? 1 : base.length + 1)));
}
