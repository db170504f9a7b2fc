/**
 * The scratch repository in which a recording is played: a new directory with `repo` (a git repository with one commit
 * of the recording's first files) and `home`. A recording is untrusted data: nothing in it is written outside this
 * directory.
 */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { GuardError } from '../core/error.ts';
import { encodeText, formOf, type CodedTextForm } from '../claude/text/encoding.ts';
import { replaceWhole } from '../repo/replace-whole.ts';
import type { ReplayPlaces } from './places.ts';
import type { RecordedChange } from './recording.ts';

export interface Scratch {
  readonly places: ReplayPlaces;
  /** Paths are those of the scratch directory. Throws GUARD_ERR_PATH for a path outside it. */
  readonly change: (path: string, change: RecordedChange) => void;
  readonly remove: () => void;
}

const FRESH: CodedTextForm = { encoding: 'utf8', bom: false, ends: 'lf' };

export function makeScratch(): Scratch {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'guard-replay-')));
  const places = { repo: join(root, 'repo'), home: join(root, 'home') };
  for (const dir of Object.values(places)) mkdirSync(dir);
  return {
    places,
    change: (path, change) => {
      applyChange(inside(root, path), root, change);
    },
    remove: () => {
      rmSync(root, { recursive: true, force: true });
    },
  };
}

const outside = (path: string): GuardError =>
  new GuardError(
    'GUARD_ERR_PATH',
    `${path} is outside the scratch directory.`,
    'Recordings may change files below /repo and /home/user only.',
    { path },
  );

/** The nearest existing ancestor decides, so that a symbolic link cannot lead out either. */
function inside(root: string, path: string): string {
  let existing = dirname(resolve(root, path));
  while (!exists(existing)) existing = dirname(existing);
  const real = join(realpathSync(existing), relative(existing, resolve(root, path)));
  if (isWithin(root, real)) return real;
  throw outside(path);
}

/** As many consecutive links as Linux follows. */
const LINKS_MAX = 40;

/** Where a write to the path ends up, following a link at its end. */
function targetOf(root: string, path: string, links = LINKS_MAX): string {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return path;
  if (links === 0) throw outside(path);
  return targetOf(root, inside(root, resolve(dirname(path), readlinkSync(path))), links - 1);
}

const isWithin = (root: string, path: string): boolean => {
  const way = relative(root, path);
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
};

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

function applyChange(path: string, root: string, change: RecordedChange): void {
  mkdirSync(dirname(path), { recursive: true });
  if ('delete' in change) rmSync(path, { recursive: true, force: true });
  else if ('symlink' in change) link(path, root, change.symlink);
  else if ('text' in change) replaceText(targetOf(root, path), change.text);
  else writeBytes(targetOf(root, path), change);
}

function link(path: string, root: string, target: string): void {
  inside(root, resolve(dirname(path), target));
  symlinkSync(target, path);
}

function writeBytes(path: string, change: Extract<RecordedChange, { keep_mtime?: boolean }>): void {
  const before = change.keep_mtime ? statSync(path, { throwIfNoEntry: false }) : undefined;
  writeFileSync(path, 'content' in change ? change.content : Buffer.from(change.base64, 'base64'));
  // In seconds: a Date would lose the microseconds.
  if (before) utimesSync(path, before.atimeMs / 1000, before.mtimeMs / 1000);
}

/** Writes like the client: in the file's own form, by renaming a new file over the old one, keeping its mode. */
function replaceText(path: string, text: string): void {
  const old = statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path) : undefined;
  const bytes = (old && encodeText(text, formOf(old))) ?? encodeText(text, FRESH) ?? text;
  const ready = old && ((aside: string): void => chmodSync(aside, statSync(path).mode));
  replaceWhole(path, bytes, { mode: 0o666, ...(ready && { ready }) });
}
