/** A virtual disk for the reader of command lines: contents by path. */
import type { Look, LineStart } from '../../src/shell/call.ts';

export type Files = Readonly<Record<string, string>>;

export function lookAt(files: Files): Look {
  const children = new Map<string, Set<string>>([['/', new Set()]]);
  for (const path of Object.keys(files)) {
    const names = path.split('/').slice(1);
    names.forEach((name, nth) => {
      const dir = `/${names.slice(0, nth).join('/')}`;
      children.set(dir, (children.get(dir) ?? new Set()).add(name));
    });
  }
  const bare = (path: string): string => (path.length > 1 ? path.replace(/\/+$/, '') : path);
  return {
    kind: (path) =>
      files[bare(path)] !== undefined ? 'file' : children.has(bare(path)) ? 'directory' : null,
    list: (dir) => [...(children.get(bare(dir)) ?? [])].sort(),
    text: (file, max_bytes) => {
      const text = files[file];
      return text === undefined || text.length > max_bytes ? null : text;
    },
  };
}

export const startIn = (files: Files, more: Partial<LineStart> = {}): LineStart => ({
  cwd: '/repo',
  home: '/home/me',
  env: { USER: 'me', CLAUDE_PROJECT_DIR: '/repo' },
  look: lookAt(files),
  ...more,
});
