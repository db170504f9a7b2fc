/** The owner of work that git would take is also known from changes noticed past guard, and from commits. */
import { expect, test } from 'vitest';
import { type Answer, scratch, type Scratch, Session } from './driver.ts';

/** A file name that no static reader of programs can compute. */
const WRITER = 'n = chr(97) + ".t" + "xt"\nopen(n, "a").write("generated\\n")\n';

function two(): { at: Scratch; author: Session; other: Session } {
  const at = scratch({ files: { 'a.txt': '1\n2\n3\n', 'write.py': WRITER } });
  at.git('config', 'user.name', 'a');
  at.git('config', 'user.email', 'a@example.com');
  at.git('add', '-A');
  at.git('commit', '-qm', '1');
  const [author, other] = [new Session(at), new Session(at)];
  author.prompt();
  other.prompt();
  author.lock('a.txt');
  author.read('a.txt');
  expect(author.edit('a.txt', '1\n', '1 written\n').post?.exit).toBe(0);
  return { at, author, other };
}

function commit(at: Scratch, author: Session): void {
  expect(ran(at, author, 'git commit -qam x').denial).toBeNull();
  expect(author.guard('lock', 'release', at.path('a.txt')).exit).toBe(0);
}

function ran(at: Scratch, agent: Session, command: string): Answer {
  const call = agent.call('Bash', { command });
  const pre = agent.pre(call);
  if (pre.denial !== null) return pre;
  expect(at.shell(command, agent.env).exit).toBe(0);
  agent.post(call, { stdout: '', stderr: '', interrupted: false, isImage: false });
  return pre;
}

test('what an own script made of a file that its author has committed may be committed', () => {
  const { at, author, other } = two();
  commit(at, author);
  other.read('a.txt');
  ran(at, other, 'python3 write.py');
  expect(at.log('drift')).toMatchObject([{ agents: [other.name] }]);
  expect(ran(at, other, 'git add -A && git commit -qm y').denial).toBeNull();
});

test('what a person made of a file that its author has committed may be committed, and is told', () => {
  const { at, author, other } = two();
  commit(at, author);
  at.put('a.txt', 'a person\n');
  const answer = ran(at, other, 'git add -A && git commit -qm y');
  expect(answer.denial).toBeNull();
  expect(answer.context).toContain(at.path('a.txt'));
});

test('a person’s change on top of what its author has not committed takes that along: refused, with a command that asks', () => {
  const { at, author, other } = two();
  expect(author.guard('lock', 'release', at.path('a.txt')).exit).toBe(0);
  at.put('a.txt', `${at.read('a.txt')}a person\n`);
  const { denial } = ran(at, other, 'git add -A');
  expect(denial?.error_type).toBe('WORK_OF_OTHERS');
  const [ask = ''] = denial?.details.next ?? [];
  expect(ask).toContain(`--to ${author.name}`);
  expect(at.shell(ask, other.env).exit).toBe(0);
});

test('what another agent’s script made of an own file is not thrown away unasked', () => {
  const { at, author, other } = two();
  commit(at, author);
  other.read('a.txt');
  ran(at, other, 'python3 write.py');
  expect(ran(at, author, 'git checkout a.txt').denial?.error_type).toBe('WORK_OF_OTHERS');
  expect(at.read('a.txt')).toContain('generated');
});
