/** git commands that reach into a submodule's checkout, in which another agent holds a file. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch, type Scratch, Session, wrongs } from './driver.ts';
import { preHere } from './driver/in-process.ts';
import { memoryOr } from './driver/memory.ts';
import { sweep } from './driver/sweep.ts';

function committed(files: Readonly<Record<string, string>>, init?: null): Scratch {
  const at = scratch({ files, ...(init === null ? { init } : {}) });
  at.git('config', 'user.name', 'a');
  at.git('config', 'user.email', 'a@example.com');
  at.git('add', '-A');
  at.git('commit', '-qm', '1');
  return at;
}

function played(): { me: Session; holder: Session } {
  const library = committed({ 's.txt': 'one\ntwo\n' }, null);
  const at = committed({ 'a.txt': 'a\n' });
  at.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.root, 'sub');
  at.git('commit', '-qam', '2');
  const [me, holder] = [new Session(at), new Session(at)];
  me.prompt();
  holder.prompt();
  return { me, holder };
}

const said = (agent: Session, line: string): readonly string[] =>
  wrongs(preHere(agent, agent.call('Bash', { command: line })));

const REACHING = [
  'git submodule update --force',
  'git submodule update -f sub',
  'git submodule foreach git reset --hard',
  "git submodule foreach 'git checkout -q . && git clean -fd'",
  'git submodule deinit -f sub',
  'git -C sub reset --hard',
];
const HARMLESS = [
  'git submodule update',
  'git submodule status',
  'git submodule foreach git status',
  "git submodule foreach 'git log -1 --format=%h'",
  'git reset --hard',
  'git stash',
];

/** A file in the submodule, written and released: neither locked nor committed. */
function written(): { me: Session; author: Session; root: string } {
  const { me, holder: author } = played();
  const { root } = author.scratch;
  author.scratch.git('branch', 'other');
  author.lock('sub/s.txt');
  author.read('sub/s.txt');
  expect(author.edit('sub/s.txt', 'two', 'theirs').post?.exit).toBe(0);
  author.guard('lock', 'release', 'sub/s.txt');
  return { me, author, root };
}

/** Whether the line, run in a copy, preserves that content. */
function isKeptBy(line: string, root: string): boolean {
  const copy = mkdtempSync(join(memoryOr(tmpdir()), 'guard-submodule-'));
  try {
    // One process for both: `cpSync` was two thirds of the time of this file.
    spawnSync('sh', ['-c', 'cp -a "$1/." . && eval "$2"', 'sh', root, line], { cwd: copy });
    const file = join(copy, 'sub', 's.txt');
    return existsSync(file) && readFileSync(file, 'utf8').includes('theirs');
  } finally {
    sweep(copy);
  }
}

const LOSING = [
  'git submodule update --force',
  'git submodule foreach git reset --hard',
  "git submodule foreach 'git checkout -q . && git clean -fd'",
  'git submodule deinit -f sub',
  'git reset --hard --recurse-submodules',
  'git checkout -f --recurse-submodules other',
  'git switch --discard-changes --recurse-submodules other',
  'git restore --recurse-submodules sub',
  'git checkout --recurse-submodules -- sub',
  'git checkout --recurse-submodules -- .',
  'git checkout --recurse-submodules sub',
  'git checkout --recurse-submodules HEAD -- sub',
  'git checkout -f --recurse-submodules -- sub',
  'git switch -f --recurse-submodules -c nb HEAD',
  'git checkout -f --recurse-submodules -b nb',
  'git reset --merge --recurse-submodules',
  'git -c submodule.recurse=true reset --hard',
  'git -c submodule.recurse checkout -f',
  'git -c submodule.recurse=true restore .',
  'git read-tree -u --reset --recurse-submodules HEAD',
  'git rm -f sub',
  'git -C sub reset --hard',
];
const each = (line: string): string => `git submodule foreach '${line}'`;

const FOREACH_LOSING = [
  'git reset --hard',
  'git reset -q --hard || :',
  'git checkout -f',
  'git checkout .',
  'git checkout -- .',
  'git restore .',
  'git stash',
  'git stash -u && git checkout main',
  'cd "$toplevel/$sm_path" && git reset --hard',
];
const FOREACH_KEEPING = [
  'git checkout main && git pull --ff-only',
  'git checkout my-feature',
  'git checkout -b new-feature',
  'git checkout main && ./build.sh',
  'git checkout main; cp -f a b',
  'git clean -n',
  'git clean -fdx',
  'git clean -fd',
  'git stash drop',
  'git stash show -p',
  'git restore --staged .',
  'git reset -q',
  'git fetch --all && git merge --ff-only',
  'echo git reset --hard',
];
const KEEPING = [
  'git reset --hard',
  'git checkout -f other',
  'git checkout --recurse-submodules other',
  'git reset --hard --no-recurse-submodules',
  'git restore sub',
  'git checkout -- sub',
  'git checkout -f HEAD -- sub',
  'git checkout --recurse-submodules -- a.txt',
  'git rm sub',
  'git submodule update',
  'git submodule deinit sub',
  'git submodule deinit -f',
  'git switch -f --recurse-submodules -c nb',
  'git switch -f --recurse-submodules -C nb',
  'git switch -f --recurse-submodules --detach',
  'git reset --keep --recurse-submodules',
  'git -c submodule.recurse=false reset --hard',
  'git -c submodule.recurse=true reset --hard --no-recurse-submodules',
  'git submodule foreach git stash list',
  'git stash',
];

describe('what runs in each submodule', () => {
  it('is refused where it loses what another agent has in no commit, and only there', () => {
    const { me, author, root } = written();
    author.scratch.git('-C', 'sub', 'branch', 'my-feature');
    for (const line of FOREACH_LOSING.map(each))
      expect([line, isKeptBy(line, root), said(me, line)]).toEqual([line, false, ['WORK_OF_OTHERS']]);
    for (const line of FOREACH_KEEPING.map(each))
      expect([line, isKeptBy(line, root), said(me, line)]).toEqual([line, true, []]);
  });

  it('is refused where it removes what nobody has told git of', () => {
    const { me, author, root } = written();
    author.lock('sub/new.txt');
    expect(author.write('sub/new.txt', 'theirs').post?.exit).toBe(0);
    author.guard('lock', 'release', 'sub/new.txt');
    for (const line of ['git clean -fd', 'git clean -fdx', 'git stash -u'].map(each))
      expect([line, said(me, line)]).toEqual([line, [expect.any(String)]]);
    for (const line of ['git clean -nd', 'git clean -X -f'].map(each))
      expect([line, isKeptBy(line, root), said(me, line)]).toEqual([line, true, []]);
  });
});

describe('a file in a submodule', () => {
  it('that another agent holds is not reset by what reaches into it', () => {
    const { me, holder } = played();
    holder.lock('sub/s.txt');
    holder.read('sub/s.txt');
    expect(holder.edit('sub/s.txt', 'two', 'theirs').post?.exit).toBe(0);
    for (const line of REACHING)
      expect([line, said(me, line)]).toEqual([line, expect.arrayContaining(['LOCKED_BY_OTHER'])]);
    for (const line of HARMLESS) expect([line, said(me, line)]).toEqual([line, []]);
  });

  it('is not lost while it is in no commit, though nobody holds it', () => {
    const { me, root } = written();
    for (const line of LOSING)
      expect([line, isKeptBy(line, root), said(me, line)]).toEqual([
        line,
        false,
        [expect.stringMatching(/^(?:WORK_OF_OTHERS)$/)],
      ]);
    for (const line of KEEPING)
      expect([line, isKeptBy(line, root), said(me, line)]).toEqual([line, true, []]);
  });

  it('is not lost where the configuration reaches into submodules', () => {
    const { me, author, root } = written();
    author.scratch.git('config', 'submodule.recurse', 'true');
    for (const line of [
      'git reset --hard',
      'git checkout .',
      'git checkout -- .',
      'git checkout HEAD -- .',
    ]) {
      const narrow = line.replace(/reset|checkout/, '$& --no-recurse-submodules');
      expect([line, isKeptBy(line, root), said(me, line).length]).toEqual([line, false, 1]);
      expect([narrow, isKeptBy(narrow, root), said(me, narrow)]).toEqual([narrow, true, []]);
    }
  });

  it("that is committed there is nobody's to lose", () => {
    const { me, author, root } = written();
    author.scratch.git(
      '-C',
      'sub',
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@example.com',
      'commit',
      '-qam',
      't',
    );
    for (const line of [...LOSING, ...KEEPING]) expect([line, said(me, line)]).toEqual([line, []]);
    expect(root).not.toBe('');
  });

  it('that nobody holds is no reason to refuse anything', () => {
    const { me } = played();
    for (const line of [...REACHING, ...HARMLESS]) expect([line, said(me, line)]).toEqual([line, []]);
  });
});
