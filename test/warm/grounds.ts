/** The state of a repository and its ledger before the first event. */
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { beside, worktree } from './around.ts';
import type { Turned } from './generate.ts';

export interface Ground {
  readonly name: string;
  readonly config?: object;
  readonly init?: readonly string[];
  readonly lay?: (at: Turned) => void;
}

const OTHERS = 40;

export const GROUNDS: readonly Ground[] = [
  { name: 'a new repository' },
  { name: 'preset standard', init: ['--preset', 'standard'] },
  { name: 'preset strict', init: ['--preset', 'strict'] },
  {
    name: 'leases that end with the session',
    config: { release_on: 'session_end', deadlock: { resolve: 'auto' } },
  },
  {
    name: 'many others',
    lay: (at) => {
      for (let n = 0; n < OTHERS; n++) {
        at.command(`o${n}`, 'reserve', `src/part${n}/**`, '--reason', 'x');
        if (n % 4 === 0) at.command(`o${n}`, 'lock', 'try', n % 8 === 0 ? 'a.txt' : `src/part${n}/x.ts`);
      }
      // By one that comes last: a sign of life of an earlier one may be due by now, in one of two repositories.
      at.command('all', 'reserve', 'src/**', '--reason', 'all of it');
    },
  },
  {
    name: 'a compacted ledger without caches',
    lay: (at) => {
      at.command('s1', 'lock', 'try', 'a.txt');
      at.command('', 'compact');
      for (const name of ['index', 'paths']) fs.rmSync(join(at.state, name), { force: true });
    },
  },
  {
    name: 'a copy that nobody adopted',
    lay: (at) => {
      const lock = join(at.state, 'lock');
      at.command('s1', 'lock', 'try', 'a.txt');
      fs.renameSync(lock, `${lock}.old`);
      fs.writeFileSync(lock, '');
    },
  },
  {
    name: 'a damaged ledger',
    lay: (at) => {
      at.command('s1', 'lock', 'try', 'a.txt');
      const ledger = fs.readdirSync(at.state).find((name) => name.startsWith('ledger-')) ?? '';
      fs.appendFileSync(join(at.state, ledger), '{"v":9,"id":"x"}\n');
    },
  },
  { name: 'switched off', lay: (at) => at.command('', 'off', '--for', '24h', '--yes') },
  { name: 'forced to the disk', config: { durability: 'fsync', preset: 'auto' } },
];

/** Makes the directories that a client may run in. */
export function layAround(at: Turned): void {
  for (const dir of [at.path('dïr with space'), beside(at), at.path('nested')])
    fs.mkdirSync(dir, { recursive: true });
  fs.symlinkSync(at.path('src'), at.path('link'));
  at.git('init', '-q', '--template=', 'nested');
  const by = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
  at.git('add', 'a.txt', 'b.txt', 'src');
  at.git(...by, 'commit', '-qm', 'x');
  at.git(...by, 'worktree', 'add', '-q', worktree(at), '-b', 'side');
  fs.mkdirSync(join(dirname(at.root), 'home', '.claude'), { recursive: true });
}
