/** Removing a whole checkout from another one, when it has more files than guard checks one by one. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratch, Session, wrongs } from './driver.ts';
import { preHere } from './driver/in-process.ts';

test.each([3, 600])(
  'the removal of a worktree with %i new files is refused where somebody holds one of it',
  (many) => {
    const at = scratch({ files: { 'a.txt': 'a\n', 'm.txt': 'm\n' } });
    at.git('config', 'user.name', 'a');
    at.git('config', 'user.email', 'a@example.com');
    at.git('add', '-A');
    at.git('commit', '-qm', '1');
    const tree = `${at.home}/wt`;
    at.git('worktree', 'add', '-q', '-b', 'topic', tree);
    mkdirSync(join(tree, 'made'));
    for (let n = 0; n < many; n++) writeFileSync(join(tree, 'made', `${n}.txt`), 'x');
    const [me, holder] = [new Session(at), new Session(at)];
    me.prompt();
    holder.prompt();
    const line = `git worktree remove --force '${tree}'`;
    const said = (): readonly string[] => wrongs(preHere(me, me.call('Bash', { command: line })));
    expect(said()).toEqual([]);
    holder.lock(join(tree, 'm.txt'));
    expect(said()).not.toEqual([]);
  },
);
