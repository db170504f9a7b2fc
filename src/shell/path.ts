/** Paths as a POSIX shell means them: links are not followed, `..` takes a name away. */
import { posix } from 'node:path';

/** Null: relative, and nobody can tell to what. */
export function absolute(text: string, cwd: string | null): string | null {
  if (text.startsWith('/')) return normal(text);
  return cwd === null ? null : normal(`${cwd}/${text}`);
}

function normal(path: string): string {
  const whole = posix.normalize(path);
  return whole.length > 1 ? withoutLast(whole) : whole;
}

/** `normalize` leaves one slash at most. */
const withoutLast = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path);

/** Where output goes, and no file. */
const SINKS = /^\/dev\/(?:null|zero|full|tty\w*|pts\/\d+|std(?:in|out|err)|fd(?:\/.*)?|(?:tcp|udp)\/.*)$/;

export const isSink = (path: string): boolean => path.startsWith('/dev/') && SINKS.test(path);

export const baseOf = (path: string): string => posix.basename(path);
export const dirOf = (path: string): string => posix.dirname(path);

/** The deepest directory that all have in common. */
export function commonDir(paths: readonly string[]): string {
  const [first = '/', ...more] = paths.map(dirOf);
  return more.reduce((dir, other) => {
    let common = dir;
    while (common !== '/' && other !== common && !other.startsWith(`${common}/`)) common = dirOf(common);
    return common;
  }, first);
}
