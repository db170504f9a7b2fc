/** Paths as text: a table of writers asks the disk only through `Look`. */

/** Absolute, without `.`, `..`, doubled or trailing slashes. Links are not followed. */
export function resolvedPath(base: string, text: string): string {
  const parts: string[] = [];
  for (const part of (text.startsWith('/') ? text : `${base}/${text}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** The last name in it, without trailing slashes: `a/b/` is `b`. */
export function baseName(text: string): string {
  const bare = withoutSlashes(text);
  return bare.slice(bare.lastIndexOf('/') + 1);
}

/** What stands before the last name: `.` where nothing does. */
export function dirName(text: string): string {
  const bare = withoutSlashes(text);
  const at = bare.lastIndexOf('/');
  if (at < 0) return '.';
  return at === 0 ? '/' : bare.slice(0, at);
}

export const joined = (dir: string, name: string): string =>
  dir.endsWith('/') ? dir + name : `${dir}/${name}`;

/** `.ts` of `a/b.ts`; empty where the name has none. */
export function extensionOf(text: string): string {
  const name = baseName(text);
  const at = name.lastIndexOf('.');
  return at > 0 ? name.slice(at) : '';
}

export const isGlob = (text: string): boolean => /[*?[{]|!\(/.test(text);

/** Not by a pattern: that looks at a run of slashes from each of them. */
function withoutSlashes(text: string): string {
  let end = text.length;
  while (end > 1 && text.charAt(end - 1) === '/') end--;
  return text.slice(0, end);
}
