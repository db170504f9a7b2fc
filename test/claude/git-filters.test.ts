/** Which changes are uncommitted if the bytes on disk differ from those that git stores. */
import { describe, expect, it } from 'vitest';
import { chmodSync } from 'node:fs';
import { scratch, type Scratch, Session, wrongs } from './driver.ts';
import { preHere } from './driver/in-process.ts';

/** Like git-lfs: git stores a pointer, the disk has the bytes. */
function lfs(at: Scratch): void {
  const program = at.put(
    '.git/lfs.sh',
    `#!/bin/sh\nd=$(git rev-parse --git-dir)/objs; mkdir -p "$d"\nif [ "$1" = clean ]; then t=$(mktemp); cat >"$t"; h=$(sha256sum "$t" | cut -c1-64); mv "$t" "$d/$h"; echo "version https://git-lfs.github.com/spec/v1"; echo "oid sha256:$h"\nelse h=$(sed -n s/^oid.sha256://p); cat "$d/$h"; fi\n`,
  );
  chmodSync(program, 0o755);
  at.git('config', 'filter.lfs.clean', `'${program}' clean`);
  at.git('config', 'filter.lfs.smudge', `'${program}' smudge`);
  at.git('config', 'filter.lfs.required', 'true');
  at.put('.gitattributes', '*.txt filter=lfs\n');
}

/** Like git-crypt: git stores other bytes, which reveal nothing about those on disk. */
function crypt(at: Scratch): void {
  at.git('config', 'filter.git-crypt.clean', 'tr a-z b-za');
  at.git('config', 'filter.git-crypt.smudge', 'tr b-za a-z');
  at.git('config', 'filter.git-crypt.required', 'true');
  at.put('.gitattributes', '*.txt filter=git-crypt\n');
}

const WAYS: Readonly<Record<string, (at: Scratch) => void>> = {
  plain: () => undefined,
  lfs,
  crypt,
  'text=auto eol=crlf': (at) => at.put('.gitattributes', '* text=auto eol=crlf\n'),
  'core.autocrlf': (at) => at.git('config', 'core.autocrlf', 'true'),
  ident: (at) => at.put('.gitattributes', '*.txt ident\n'),
};

function played(way: string): { at: Scratch; me: Session; holder: Session } {
  const at = scratch({ files: { 'a.txt': '1\n$Id$\n', 'm.txt': '1\n$Id$\ntwo\n' } });
  at.git('config', 'user.name', 'a');
  at.git('config', 'user.email', 'a@example.com');
  WAYS[way]?.(at);
  at.git('add', '-A');
  at.git('commit', '-qm', '1');
  at.shell('rm *.txt && git checkout -q -- .', at.env);
  const [me, holder] = [new Session(at), new Session(at)];
  me.prompt();
  holder.prompt();
  holder.lock('m.txt');
  holder.read('m.txt');
  expect(holder.edit('m.txt', 'two', 'theirs').post?.exit).toBe(0);
  return { at, me, holder };
}

const said = (agent: Session, line: string): readonly string[] =>
  wrongs(preHere(agent, agent.call('Bash', { command: line })));

const ACTS = [
  'git stash',
  'git reset --hard',
  'git checkout -- .',
  'git restore .',
  'git checkout m.txt',
  'git commit -am x',
];

describe.each(Object.keys(WAYS))('%s', (way) => {
  it('another agent’s change that is in no commit is not put away', () => {
    const { me } = played(way);
    for (const act of ACTS) expect([act, said(me, act).length > 0]).toEqual([act, true]);
  });

  it('nor where it is staged', () => {
    const { at, me } = played(way);
    at.git('add', 'm.txt');
    const keep = ['git checkout -- .', 'git restore .', 'git checkout m.txt'];
    for (const act of ACTS.filter((one) => !keep.includes(one)))
      expect([act, said(me, act).length > 0]).toEqual([act, true]);
  });

  it('what it has committed is nothing that could be lost', () => {
    const { at, me, holder } = played(way);
    at.git('commit', '-qam', '2');
    at.guard('lock', 'release', 'm.txt', '--agent', holder.name);
    for (const act of ACTS) expect([act, said(me, act)]).toEqual([act, []]);
  });

  // Only the filter itself could tell whether the bytes are still the same.
  it.skipIf(way === 'crypt')('nor is it where git looks again at a file that only was touched', () => {
    const { at, me, holder } = played(way);
    at.git('commit', '-qam', '2');
    at.guard('lock', 'release', 'm.txt', '--agent', holder.name);
    at.shell('touch -d "1 hour ago" m.txt', at.env);
    for (const act of ACTS) expect([act, said(me, act)]).toEqual([act, []]);
  });
});
