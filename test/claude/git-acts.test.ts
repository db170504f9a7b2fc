/**
 * Git commands in four trees: the hook's verdict, compared with git's effect on the other agent's file in a copy. A
 * command
 * is refused if it changes that file on disk, puts it away, or takes its uncommitted content into index or commit; any
 * other command is allowed.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratch, type Scratch, Session, wrongs } from './driver.ts';
import { preHere } from './driver/in-process.ts';

const NAMES = ['a', 'm', 'z', 'src/h', 'src/i'];
const text = (name: string) => `1 ${name}\n2\n3\n4\n5\n`;

type Tree = 'free' | 'mine' | 'held' | 'held and changed';

function repository(): Scratch {
  const at = scratch({ files: Object.fromEntries(NAMES.map((name) => [`${name}.txt`, text(name)])) });
  at.git('config', 'user.name', 'a');
  at.git('config', 'user.email', 'a@example.com');
  at.git('add', '-A');
  at.git('commit', '-qm', '1');
  at.git('branch', '-M', 'main');
  at.git('checkout', '-qb', 'other');
  for (const name of ['a', 'm', 'z', 'src/h']) at.put(`${name}.txt`, text(name).replace('2', '2 other'));
  at.git('rm', '-q', 'src/i.txt');
  at.put('new.txt', 'n\n');
  at.git('add', '-A');
  at.git('commit', '-qm', '2');
  at.git('checkout', '-q', 'main');
  return at;
}

function played(tree: Tree): { at: Scratch; me: Session; holder: Session } {
  const at = repository();
  const [me, holder] = [new Session(at), new Session(at)];
  me.prompt();
  holder.prompt();
  if (tree !== 'free') {
    me.lock('a.txt');
    me.read('a.txt');
    expect(me.edit('a.txt', '5\n', '5 mine\n').post?.exit).toBe(0);
  }
  if (tree === 'held' || tree === 'held and changed') holder.lock('m.txt');
  if (tree === 'held and changed') {
    holder.read('m.txt');
    expect(holder.edit('m.txt', '5\n', '5 theirs\n').post?.exit).toBe(0);
  }
  return { at, me, holder };
}

interface Act {
  readonly line: string;
  /** The trees in which it is refused. */
  readonly refused: readonly Tree[];
}

const CHANGED: readonly Tree[] = ['held and changed'];
const HELD: readonly Tree[] = ['held', 'held and changed'];
const NEVER: readonly Tree[] = [];
const act = (line: string, refused: readonly Tree[]): Act => ({ line, refused });

const ACTS: readonly Act[] = [
  act(
    'git status -s >/dev/null && git diff --stat >/dev/null && git add a.txt && git commit -qm x a.txt',
    NEVER,
  ),
  act('git add -A', CHANGED),
  act('git add .', CHANGED),
  act('git add -u', CHANGED),
  act('git commit -qam x', CHANGED),
  act('git stash', CHANGED),
  act('git stash push -q -- a.txt', NEVER),
  act('git stash -k', CHANGED),
  act('git checkout -- .', CHANGED),
  act('git restore .', CHANGED),
  act('git restore -- a.txt', NEVER),
  act('git reset --hard', CHANGED),
  act('git reset --hard other', HELD),
  act('git reset -q', NEVER),
  act('git checkout -f other', HELD),
  act('git checkout other -- m.txt', HELD),
  act('git checkout other -- src', NEVER),
  act('git checkout -qb new', NEVER),
  act('git switch -qc s2', NEVER),
  act('git cherry-pick -n other -- ', HELD),
  act('git diff main other -- m.txt | git apply', HELD),
  act('git diff main other -- src | git apply', NEVER),
  act('git clean -fdxq src', NEVER),
  act('git mv src lib', NEVER),
  act('git rm -rq src', NEVER),
  act('git mv m.txt q.txt', HELD),
  act('git rm -qf m.txt', HELD),
  act('git worktree add -q ../wt other && git worktree remove ../wt', NEVER),
  act('git gc -q', NEVER),
  act('cd src && git checkout .', NEVER),
  act('git -c core.pager=cat log --oneline -3', NEVER),
  act('git commit -qm "git reset --hard; git stash" --allow-empty', NEVER),
  act("echo 'git stash' > note.md", NEVER),
  act('git push -q . main:copy', NEVER),
];

/** Whether git changes the other agent's file: its bytes, or its content in index and commit. */
function effect(at: Scratch, line: string): string {
  const root = join(at.root, '..', `copy-${String(Math.random()).slice(2)}`, 'r');
  cpSync(at.root, root, { recursive: true, preserveTimestamps: true });
  const run = (words: string) =>
    spawnSync('/bin/bash', ['-c', words], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, ...at.env },
    });
  const look = () => [
    existsSync(join(root, 'm.txt')) ? readFileSync(join(root, 'm.txt'), 'utf8') : null,
    // Only uncommitted content in index or commit counts as taken; content that others committed does not.
    run('git show :m.txt | grep -c theirs; git show HEAD:m.txt | grep -c theirs').stdout,
  ];
  run('git update-index -q --refresh');
  const before = look();
  run(line);
  const after = look();
  rmSync(join(root, '..'), { recursive: true, force: true });
  return JSON.stringify(before) === JSON.stringify(after) ? 'nothing' : 'changes it';
}

const TREES: readonly Tree[] = ['free', 'mine', 'held', 'held and changed'];

describe.each(TREES)('%s', (tree) => {
  test(
    'every act is refused where it takes another agent something away, and nowhere else',
    { timeout: 240_000 },
    () => {
      const { at, me } = played(tree);
      for (const { line, refused } of ACTS) {
        const said = wrongs(preHere(me, me.call('Bash', { command: line })));
        const expected: unknown = refused.includes(tree)
          ? expect.stringMatching(/^(?:LOCKED_BY_OTHER|WORK_OF_OTHERS)$/)
          : undefined;
        expect(said[0], `${line}: ${JSON.stringify(said)}`).toEqual(expected);
        if (tree !== 'held' && tree !== 'held and changed') continue;
        const isHarmful = effect(at, line) !== 'nothing';
        // A command that git itself refuses does no harm, and guard refuses it first.
        if (isHarmful) expect(refused, `${line} changes it`).toContain(tree);
        else if (refused.includes(tree)) expect(GIT_REFUSES, line).toContain(line);
      }
    },
  );
});

/** Refused by git if the tree has another agent's changes. */
const GIT_REFUSES = ['git cherry-pick -n other -- ', 'git diff main other -- m.txt | git apply'];
