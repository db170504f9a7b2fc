import { expect, it } from 'vitest';
import type { Look } from '../../src/shell/call.ts';
import { namedFiles } from '../../src/shell/named-files.ts';
import { lookAt } from './disk.ts';

const FILES = { '/repo/src/a.ts': '', '/repo/src/B.ts': '', '/repo/README.md': '', '/repo/é.txt': '' };
const MANY = Array.from({ length: 300 }, (_, nth) => `word${nth}`).join(' ');

it('finds the same files in a long line as in a short one', () => {
  const short = 'cd src && cat a.ts ../README.md ./B.ts; cat é.txt';
  const found = namedFiles(short, '/repo', lookAt(FILES));
  expect([...found].sort()).toEqual([...Object.keys(FILES)].sort());
  expect(namedFiles(`${short}; echo ${MANY}`, '/repo', lookAt(FILES))).toEqual(found);
});

it('asks a disk for what a directory lists, not for every word of a here-document', () => {
  const disk = lookAt(FILES);
  let asked = 0;
  const look: Look = {
    ...disk,
    kind(path) {
      asked++;
      return disk.kind(path);
    },
  };
  namedFiles(`cd src && cd .. && cat > new.txt <<'E'\n${MANY}\nE`, '/repo', look);
  expect(asked).toBeLessThan(20);
});
