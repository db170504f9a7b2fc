import fs from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { transcriptsIn } from '../../../src/simulate/transcript/find.ts';
import { scratchDir } from '../../repo/scratch.ts';

it('a transcript that is given twice, or that links lead to, is read once', () => {
  const [dir, links] = [scratchDir(), scratchDir()];
  const line = { type: 'user', uuid: 'u', cwd: '/repo', timestamp: '2026-11-26T01:00:00.000Z' };
  const [one, two] = ['one.jsonl', 'two.jsonl'].map((name) => join(dir, name)) as [string, string];
  for (const file of [one, two]) fs.writeFileSync(file, `${JSON.stringify(line)}\n`);
  fs.symlinkSync(one, join(links, 'one-again.jsonl'));
  fs.symlinkSync(dir, join(links, 'all'));
  const unreadable = { lines: 0, cut: 0, files: 0 };
  const found = (...paths: readonly string[]) =>
    transcriptsIn({ paths, roots: [], env: {}, since_ms: 0, unreadable }).map(({ file }) => file);
  expect(found(dir, links, one, join(links, 'all'), join(links, 'all/*.jsonl'))).toEqual([one, two]);
  expect(found(links)).toEqual([join(links, 'all/one.jsonl'), join(links, 'all/two.jsonl')]);
});
