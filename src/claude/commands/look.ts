/** The disk as the command line parser sees it. */
import fs from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import type { Look } from '../../shell/call.ts';
import { namesIn } from '../../repo/names-in.ts';
import { textOf } from '../../repo/small-file.ts';

export function lookAtDisk(): Look {
  return { kind, list, text: textOf };
}

const kind = (path: string): ReturnType<Look['kind']> =>
  attempt(() => {
    // Most words are not files, and an error with its stack costs ten times as much as the check.
    const stat = fs.statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return null;
    if (stat.isFile()) return 'file';
    return stat.isDirectory() ? 'directory' : 'other';
  }, null);

const list = (dir: string): readonly string[] => (kind(dir) === 'directory' ? namesIn(dir).sort() : []);
