/** Bad ends that were cut off and saved to files and are not among the known notes. */
import { readdirSync, statSync } from 'node:fs';
import type { Note } from './verify-report.ts';

export function cutFiles(dir: string, known: readonly Note[]): Note[] {
  const names = readdirSync(dir).filter((name) => /^cut-[0-9a-f]{12}(-\d+)?$/.test(name));
  const reported = new Set(known.map(({ file }) => file));
  return names
    .filter((name) => !reported.has(name))
    .map((file) => ({ kind: 'cut', file, bytes: statSync(`${dir}/${file}`).size }));
}
