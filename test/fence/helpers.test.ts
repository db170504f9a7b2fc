/** The helpers alone: other users, machines that forbid namespaces, bubblewrap, Landlock, a thousand files. */
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { canFence, FENCE, hasProgram } from './machine.ts';

const NOBODY = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups'];
const isRoot = process.getuid?.() === 0;

function site(files: readonly string[], lines: (dir: string) => readonly string[]) {
  const dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'guard-fence-')));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  for (const name of ['', 'run', 'program', 'work']) {
    fs.mkdirSync(join(dir, name), { recursive: true });
    fs.chmodSync(join(dir, name), 0o777);
  }
  fs.cpSync(FENCE, join(dir, 'program'), { recursive: true });
  for (const file of files) {
    fs.mkdirSync(join(dir, 'work', file, '..'), { recursive: true, mode: 0o777 });
    fs.chmodSync(join(dir, 'work', file, '..'), 0o777);
    fs.writeFileSync(join(dir, 'work', file), 'one\n');
    fs.chmodSync(join(dir, 'work', file), 0o666);
  }
  fs.writeFileSync(join(dir, 'held'), ['# o', '# due 0 -', ...lines(join(dir, 'work')), ''].join('\n'));
  return {
    dir,
    read: (file: string) => fs.readFileSync(join(dir, 'work', file), 'utf8'),
    run(program: readonly string[], helper: string, script: string, mode = 'open', cwd = '.') {
      const args = [
        ...program,
        join(dir, 'program', helper),
        'run',
        join(dir, 'held'),
        'me',
        join(dir, 'run'),
        mode,
      ];
      const [name = '', ...rest]: string[] = [...args, '/bin/bash', '-c', script];
      const done = spawnSync(name, rest, { cwd: join(dir, 'work', cwd), timeout: 30_000 });
      return { exit: done.status, out: done.stdout.toString(), err: done.stderr.toString() };
    },
  };
}

const HOLDS = (work: string): string[] => [
  `o\tF\t${work}/a.txt\t`,
  `o\tF\t${work}/src\t`,
  `me\tF\t${work}/src/mine.txt\t`,
];
const FILES = ['a.txt', 'free.txt', 'src/b.txt', 'src/mine.txt'];
const WRITES =
  'for f in a.txt free.txt src/b.txt src/mine.txt src/new.txt; do (echo x > $f) 2>/dev/null && echo $f; done; true';

const WAYS = [
  { name: 'perl', below: ['perl'], helper: 'fence.pl', can: canFence() },
  { name: 'perl as nobody', below: [...NOBODY, 'perl'], helper: 'fence.pl', can: canFence() && isRoot },
  { name: 'bubblewrap', below: ['/bin/sh'], helper: 'bwrap.sh', can: hasProgram('bwrap') },
  {
    name: 'bubblewrap as nobody',
    below: [...NOBODY, '/bin/sh'],
    helper: 'bwrap.sh',
    can: hasProgram('bwrap') && isRoot,
  },
];

describe.each(WAYS)('$name', ({ below, helper, can }) => {
  it.skipIf(!can)("makes a file and a directory read-only, except for the command's own files inside", () => {
    const at = site(FILES, HOLDS);
    expect(at.run(below, helper, WRITES)).toEqual({ exit: 0, out: 'free.txt\nsrc/mine.txt\n', err: '' });
    expect(FILES.map(at.read)).toEqual(['one\n', 'x\n', 'one\n', 'x\n']);
  });

  it.skipIf(!can)('keeps a directory from a command that begins in it, or below', () => {
    const at = site([...FILES, 'src/deep/c.txt'], HOLDS);
    const script =
      '(echo x > b.txt; echo x > new.txt; echo x > c.txt) 2>/dev/null; pwd -P; echo x > ../free.txt';
    expect(at.run(below, helper, script, 'open', 'src')).toMatchObject({
      exit: 0,
      out: `${at.dir}/work/src\n`,
    });
    at.run(below, helper, script, 'open', 'src/deep');
    expect(['src/b.txt', 'src/deep/c.txt', 'free.txt'].map(at.read)).toEqual(['one\n', 'one\n', 'x\n']);
    expect(fs.readdirSync(join(at.dir, 'work/src')).sort()).toEqual(['b.txt', 'deep', 'mine.txt']);
  });

  it.skipIf(!can)('passes on exit codes and recognises itself', () => {
    const at = site(FILES, HOLDS);
    expect(at.run(below, helper, 'echo $(( GUARD_FENCED == $$ )); exit 5')).toEqual({
      exit: 5,
      out: '1\n',
      err: '',
    });
  });
});

describe.skipIf(!canFence())('the first helper', () => {
  it('fences a thousand files', () => {
    const names = Array.from({ length: 1_000 }, (_, nth) => `f${nth}`);
    const at = site(names, (work) => names.map((name) => `o\tF\t${work}/${name}\t`));
    const ran = at.run(
      ['perl'],
      'fence.pl',
      'for f in f*; do (echo x > $f) 2>/dev/null && echo $f; done; true',
    );
    expect(ran).toEqual({ exit: 0, out: '', err: '' });
  });

  it('keeps directories above from being renamed only in a closed fence', () => {
    const lines = (work: string): string[] => [`-\tR\t${work}\t`, `o\tF\t${work}/deep/dir/a.txt\t`];
    for (const [mode, there] of [
      ['open', false],
      ['closed', true],
    ] as const) {
      const at = site(['deep/dir/a.txt'], lines);
      at.run(['perl'], 'fence.pl', 'mv deep/dir moved; mv deep moved2', mode);
      expect(fs.existsSync(join(at.dir, 'work/deep/dir/a.txt'))).toBe(there);
    }
  });

  it.skipIf(!isRoot)('leaves root the right to mount, except in a closed fence', () => {
    const script = 'umount a.txt 2>/dev/null; (echo x > a.txt) 2>/dev/null; cat a.txt';
    expect(site(FILES, HOLDS).run(['perl'], 'fence.pl', script, 'closed').out).toBe('one\n');
    expect(site(FILES, HOLDS).run(['perl'], 'fence.pl', script).out).toBe('x\n');
  });

  it.skipIf(!isRoot)(
    'lets a command with sudo go, unprivileged, and no command that only speaks of it',
    () => {
      const leaves = (script: string): boolean => {
        const at = site(FILES, HOLDS);
        at.run([...NOBODY, 'perl'], 'fence.pl', `${script}\n(echo x > a.txt) 2>/dev/null; true`);
        return at.read('a.txt') === 'x\n';
      };
      expect(leaves('sudo -n true 2>/dev/null')).toBe(true);
      expect(leaves('echo ok && A=1 sudo -n true 2>/dev/null')).toBe(true);
      expect(leaves('echo sudo is a word; echo pseudo | cat > /dev/null')).toBe(false);
    },
  );

  it('runs the command if namespaces are forbidden, or refuses it in a closed fence', () => {
    const at = site(FILES, HOLDS);
    const forbidden = ['python3', join(import.meta.dirname, 'forbid.py'), 'perl'];
    if (!hasProgram('python3') || process.arch !== 'x64') return;
    expect(at.run(forbidden, 'fence.pl', 'echo $GUARD_FENCE_ERROR').out).toMatch(/^unshare: /);
    const closed = at.run(forbidden, 'fence.pl', 'echo ran', 'closed');
    expect([closed.exit, closed.out]).toEqual([126, '']);
    const probed = spawnSync('python3', [...forbidden.slice(1), join(FENCE, 'fence.pl'), 'probe', at.dir]);
    expect([probed.status, probed.stdout.toString()]).toEqual([1, expect.stringMatching(/^no: unshare: /)]);
  });

  it('waits two seconds for a sync that hangs, and no command longer', () => {
    const at = site(FILES, HOLDS);
    const hung = spawn('flock', [join(at.dir, 'run/turn'), 'sleep', '60']);
    onTestFinished(() => void hung.kill());
    spawnSync('sh', ['-c', `while flock -n ${at.dir}/run/turn true; do sleep 0.02; done`], {
      timeout: 5_000,
    });
    expect(at.run(['timeout', '20', 'perl'], 'fence.pl', 'cat a.txt; echo x > a.txt').out).toBe('one\n');
    expect(at.read('a.txt')).toBe('one\n');
  });

  it.skipIf(!isRoot)('forgets no fence that it cannot see from inside of another one', async () => {
    const at = site(FILES, HOLDS);
    const script = 'echo $$ > pid; exec sleep 60';
    const args = ['run', join(at.dir, 'held'), 'me', join(at.dir, 'run'), 'open', '/bin/bash', '-c', script];
    const [setpriv = '', ...nobody] = NOBODY;
    const helper = join(at.dir, 'program/fence.pl');
    const running = spawn(setpriv, [...nobody, 'perl', helper, ...args], { cwd: join(at.dir, 'work') });
    onTestFinished(() => void running.kill('SIGKILL'));
    const [own] = [(): string[] => fs.readdirSync(join(at.dir, 'run')).filter((name) => /^\d+$/.test(name))];
    while (own().length === 0 || !fs.existsSync(join(at.dir, 'work/pid')))
      await new Promise((go) => setTimeout(go, 20));
    const [file = ''] = own();
    const sync = `perl '${helper}' sync '${at.dir}/held' '${at.dir}/run' open; echo done`;
    expect(at.run([...NOBODY, 'perl'], 'fence.pl', sync)).toMatchObject({ exit: 0, out: 'done\n' });
    expect(own()).toContain(file);
  });

  it('leaves nothing that blocks the next one if it is killed half way', () => {
    const at = site(FILES, HOLDS);
    fs.writeFileSync(join(at.dir, 'run/4026539999'), '');
    fs.writeFileSync(join(at.dir, 'run/4026539998'), 'me\0');
    const sync = spawnSync('perl', [
      join(FENCE, 'fence.pl'),
      'sync',
      join(at.dir, 'held'),
      join(at.dir, 'run'),
      'open',
    ]);
    expect([sync.status, sync.stderr.toString()]).toEqual([0, '']);
    expect(at.run(['perl'], 'fence.pl', WRITES).out).toBe('free.txt\nsrc/mine.txt\n');
  });
});

const hasLandlock = spawnSync('perl', [join(FENCE, 'landlock.pl'), 'probe']).status === 0;
if (!hasLandlock) console.warn('SKIPPED: no Landlock here');

describe.skipIf(!hasLandlock)('Landlock', () => {
  it('keeps a file, through a rename of its holder too, and lets others be written in place', () => {
    const at = site(FILES, (work) => [`o\tF\t${work}/a.txt\t`]);
    const ran = at.run(['perl'], 'landlock.pl', WRITES, 'closed');
    expect(ran).toEqual({ exit: 0, out: 'free.txt\nsrc/b.txt\nsrc/mine.txt\nsrc/new.txt\n', err: '' });
    expect(at.run(['perl'], 'landlock.pl', 'mv free.txt a.txt; rm -f a.txt', 'closed').exit).not.toBe(0);
    expect(at.read('a.txt')).toBe('one\n');
  });
});
