/** Paths as a POSIX shell means them: links are not followed, `..` takes a name away. */
import { posix } from 'node:path';

/** Without `.`, `..`, doubled or trailing slashes. Null: relative, and nobody can tell to what. */
export function absolute(text: string, cwd: string | null): string | null {
  if (text.startsWith('/')) return normal(text);
  return cwd === null ? null : normal(`${cwd}/${text}`);
}

/** `normalize` leaves one slash at most. */
function normal(path: string): string {
  const whole = posix.normalize(path);
  return whole.length > 1 && whole.endsWith('/') ? whole.slice(0, -1) : whole;
}

/** Where output goes, and no file. */
const SINKS = /^\/dev\/(?:null|zero|full|tty\w*|pts\/\d+|std(?:in|out|err)|fd(?:\/.*)?|(?:tcp|udp)\/.*)$/;

export const isSink = (path: string): boolean => path.startsWith('/dev/') && SINKS.test(path);

/** The last name in it, without trailing slashes: `a/b/` is `b`. */
export const baseName = (path: string): string => posix.basename(path);

/** What stands before the last name: `.` where nothing does. */
export const dirName = (path: string): string => posix.dirname(path);

/** `.ts` of `a/b.ts`; empty where the name has none. */
export const extensionOf = (path: string): string => posix.extname(path);

export const joined = (dir: string, name: string): string =>
  dir.endsWith('/') ? dir + name : `${dir}/${name}`;

export const isGlob = (text: string): boolean => /[*?[{]|!\(/.test(text);

/** The deepest directory that all have in common. */
export function commonDir(paths: readonly string[]): string {
  const [first = '/', ...more] = paths.map(dirName);
  return more.reduce((dir, other) => {
    let common = dir;
    while (common !== '/' && other !== common && !other.startsWith(`${common}/`)) common = dirName(common);
    return common;
  }, first);
}
