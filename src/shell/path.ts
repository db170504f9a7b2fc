/** Paths as a POSIX shell treats them: links are not followed, `..` removes a name. */
import { posix } from 'node:path';

/** Without `.`, `..`, doubled or trailing slashes. Null if it is relative to an unknown directory. */
export function absolute(text: string, cwd: string | null): string | null {
  if (text.startsWith('/')) return normal(text);
  return cwd === null ? null : normal(`${cwd}/${text}`);
}

/** `normalize` leaves at most one trailing slash. */
function normal(path: string): string {
  const whole = posix.normalize(path);
  return whole.length > 1 && whole.endsWith('/') ? whole.slice(0, -1) : whole;
}

/** Targets of output that are not files. */
const SINKS = /^\/dev\/(?:null|zero|full|tty\w*|pts\/\d+|std(?:in|out|err)|fd(?:\/.*)?|(?:tcp|udp)\/.*)$/;

export const isSink = (path: string): boolean => path.startsWith('/dev/') && SINKS.test(path);

/** The last name, without trailing slashes: `a/b/` gives `b`. */
export const baseName = (path: string): string => posix.basename(path);

/** The part before the last name; `.` if there is none. */
export const dirName = (path: string): string => posix.dirname(path);

/** `.ts` for `a/b.ts`; empty if the name has no extension. */
export const extensionOf = (path: string): string => posix.extname(path);

export const joined = (dir: string, name: string): string =>
  dir.endsWith('/') ? dir + name : `${dir}/${name}`;

export const isGlob = (text: string): boolean => /[*?[{]|!\(/.test(text);

/** The deepest directory that all paths have in common. */
export function commonDir(paths: readonly string[]): string {
  const [first = '/', ...more] = paths.map(dirName);
  return more.reduce((dir, other) => {
    let common = dir;
    while (common !== '/' && other !== common && !other.startsWith(`${common}/`)) common = dirName(common);
    return common;
  }, first);
}
