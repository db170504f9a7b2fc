/** git acts in a checkout in which others work; test/claude/git-acts.test.ts has many more. */
import { describe, expect, it } from 'vitest';
import { scratch, working, wrongs } from '../claude/driver.ts';
import { preHere } from '../claude/driver/in-process.ts';

describe('it runs git where others work', () => {
  const played = () => {
    const at = scratch({ files: { 'a.txt': 'a\n', 'm.txt': 'm\n' } });
    at.git('add', '-A');
    at.git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', '1');
    const [me, holder] = [working(at), working(at)];
    const types = (command: string) => wrongs(preHere(me, me.call('Bash', { command })));
    return { at, holder, types };
  };

  it.each([
    'git stash',
    'git checkout .',
    'git reset --hard',
    'git -C . restore -- m.txt',
    'git rm -f m.txt',
  ])("%s is denied over another agent's lock, and passes in a clean tree", (line) => {
    const { at, holder, types } = played();
    if (!line.includes(' rm ')) expect(types(line)).toEqual([]);
    holder.lock('m.txt');
    at.put('m.txt', 'changed\n');
    expect(types(line)).toContain('LOCKED_BY_OTHER');
    expect(types('git status; echo git stash')).toEqual([]);
  });

  it('what another live agent wrote and did not commit is not swept up, nor thrown away', () => {
    const { holder, types } = played();
    holder.lock('m.txt');
    holder.read('m.txt');
    expect(holder.edit('m.txt', 'm', 'theirs').post?.exit).toBe(0);
    expect(holder.guard('lock', 'release', 'm.txt').exit).toBe(0);
    for (const line of ['git add -A', 'git commit -am x', 'git stash', 'git restore .'])
      expect(types(line)).toContain('WORK_OF_OTHERS');
    expect(types('git add a.txt')).toEqual([]);
  });
});
