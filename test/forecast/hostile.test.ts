/** Programs named by configuration and attributes are not run, and the forecast reports what follows from that. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { put, scratchDir } from '../repo/scratch.ts';
import { editLine, forecast, git, newRepository, newWorktree } from './repositories.ts';

/** Two worktrees that changed the same line; every program that git might start leaves a file as evidence. */
function trapped(attributes: string) {
  const base = scratchDir();
  const root = newRepository(join(base, 'repo'));
  put(join(root, '.gitattributes'), attributes);
  git(root, 'add', '-A');
  git(root, 'commit', '-qm', 'attributes');
  const [one, two] = [newWorktree(root, 'one'), newWorktree(root, 'two')];
  editLine(join(one, 'a.txt'), 1, 'one');
  editLine(join(two, 'a.txt'), 1, 'two');
  const trap = put(join(base, 'trap'), `#!/bin/sh\ntouch '${join(base, 'ran')}'\ncat\n`);
  fs.chmodSync(trap, 0o755);
  for (const key of [
    ...[
      'filter.evil.clean',
      'filter.evil.smudge',
      'filter.evil.process',
      'merge.evil.driver',
      'core.fsmonitor',
    ],
    ...[
      'diff.external',
      'diff.evil.textconv',
      'diff.evil.command',
      'core.pager',
      'gpg.program',
      'core.alternateRefsCommand',
    ],
  ])
    git(root, 'config', key, trap);
  git(root, 'config', 'filter.evil.required', 'true');
  git(root, 'config', 'commit.gpgSign', 'true');
  git(root, 'config', 'log.showSignature', 'true');
  for (const hook of ['post-index-change', 'fsmonitor-watchman', 'reference-transaction', 'post-checkout'])
    fs.cpSync(trap, join(root, '.git/hooks', hook));
  return { base, root, kept: join(base, 'kept'), ran: () => fs.existsSync(join(base, 'ran')) };
}

describe('programs that a repository names', () => {
  test('are not run, though every kind of them is configured', async () => {
    const { root, kept, ran } = trapped('*.txt merge=evil diff=evil\n*.bin filter=evil\n');
    const told = await forecast(root, kept);
    await forecast(root, kept);
    expect(ran()).toBe(false);
    expect(told.pairs).toMatchObject([
      { a: 'one', b: 'two', conflicts: [{ path: 'a.txt', a: [[2, 2]], b: [[2, 2]] }] },
    ]);
    expect(told.notes).toEqual(['The merge driver evil is not run: its files are merged as text.']);
  });

  test('are not run where worktrees have a configuration of their own, said in the shortest way', async () => {
    const base = scratchDir();
    const root = newRepository(join(base, 'repo'));
    const one = newWorktree(root, 'one');
    put(join(one, '.gitattributes'), '*.txt filter=evil\n');
    editLine(join(one, 'a.txt'), 1, 'one');
    fs.appendFileSync(join(root, '.git/config'), '[extensions]\n\tworktreeConfig\n');
    const ran = join(base, 'ran');
    put(join(root, '.git/worktrees/one/config.worktree'), `[filter "evil"]\n\tclean = touch '${ran}'; cat\n`);
    const { notes } = await forecast(root, join(base, 'kept'));
    expect([fs.existsSync(ran), notes.length]).toEqual([false, 1]);
  });

  test('by bytes that no variable can say are refused, and not run', async () => {
    const base = scratchDir();
    const root = newRepository(join(base, 'repo'));
    const ran = join(base, 'ran');
    const config = `[filter "\xff"]\n\tclean = touch '${ran}'; cat\n`;
    fs.appendFileSync(join(root, '.git/config'), Buffer.from(config, 'latin1'));
    fs.writeFileSync(join(root, '.gitattributes'), Buffer.from('*.txt filter=\xff\n', 'latin1'));
    editLine(join(root, 'a.txt'), 1, 'one');
    const refused = await forecast(root, join(base, 'kept')).catch((error: unknown) => error);
    expect([fs.existsSync(ran), refused]).toMatchObject([false, { code: 'GUARD_ERR_GIT' }]);
  });

  test('by letters of another alphabet are filters, too', async () => {
    const { root, kept } = trapped('*.txt filter=schlüssel\n');
    git(root, 'config', 'filter.schlüssel.clean', 'false');
    const told = await forecast(root, kept);
    expect(told.pairs).toEqual([]);
    expect(told.notes.filter((note) => note.includes('filter schlüssel is not run')).length).toBe(2);
  });

  test('as filters: their files count as they are in the index, and it is said how many', async () => {
    const { root, kept, ran } = trapped('*.txt filter=evil\n');
    const told = await forecast(root, kept);
    expect([ran(), told.pairs]).toEqual([false, []]);
    expect(told.notes.filter((note) => note.includes('filter evil is not run: 1 files')).length).toBe(2);
  });

  test('a merge driver that keeps what is there is obeyed: it is none', async () => {
    const { root, kept } = trapped('*.txt merge=ours\n');
    git(root, 'config', 'merge.ours.driver', 'true');
    expect((await forecast(root, kept)).pairs).toEqual([]);
  });
});

test('files of git-lfs count by the pointer that it would make', async () => {
  const base = scratchDir();
  const root = newRepository(join(base, 'repo'));
  const pointer = (text: string): string =>
    `version https://git-lfs.github.com/spec/v1\noid sha256:${createHash('sha256').update(text).digest('hex')}\nsize ${text.length}\n`;
  put(join(root, '.gitattributes'), '*.bin filter=lfs -text\n');
  put(join(root, 'x.bin'), pointer('large'));
  git(root, 'add', '-A');
  git(root, 'commit', '-qm', 'pointer');
  const [one, two, same] = ['one', 'two', 'same'].map((name) => newWorktree(root, name));
  for (const key of ['clean', 'smudge', 'process']) git(root, 'config', `filter.lfs.${key}`, 'false');
  fs.writeFileSync(join(one ?? '', 'x.bin'), 'of one');
  fs.writeFileSync(join(two ?? '', 'x.bin'), 'of two');
  // As checked out: the index contains the pointer.
  fs.writeFileSync(join(same ?? '', 'x.bin'), 'large');
  const told = await forecast(root, join(base, 'kept'));
  expect(told.pairs.map(({ a, b, files }) => [a, b, files])).toEqual([['one', 'two', ['x.bin']]]);
  expect(told.checkouts.filter(({ has_own }) => has_own).map(({ id }) => id)).toEqual(['one', 'two']);
});
