/** A fork next to its living parent: the parent's earlier writes count as the fork's too; later ones do not. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Answer, scratch, type Scratch, Session } from './driver.ts';

/** One line of an assistant's turn, as the client writes it to a transcript. */
const called = (id: string): string =>
  JSON.stringify({
    parentUuid: '8f',
    isSidechain: false,
    message: { id: 'm', type: 'message', content: [{ type: 'tool_use', id, name: 'Edit', input: {} }] },
    type: 'assistant',
  });

function transcript(at: Scratch, session: Session, text: string): void {
  const dir = `${at.home}/.claude/projects/-repo`;
  mkdirSync(dir, { recursive: true });
  writeFileSync(`${dir}/${session.id}.jsonl`, text);
}

function family(history: (op: string) => string) {
  const at = scratch({ files: { 'a.txt': '1\n2\n3\n', 'b.txt': '1\n' } });
  at.git('config', 'user.name', 'a');
  at.git('config', 'user.email', 'a@example.com');
  at.git('add', '-A');
  at.git('commit', '-qm', '1');
  const parent = new Session(at);
  parent.prompt();
  const op = write(at, parent, 'a.txt');
  const fork = new Session(at);
  transcript(at, fork, history(op));
  fork.start('fork');
  fork.prompt();
  return { at, parent, fork };
}

function write(at: Scratch, agent: Session, file: string): string {
  agent.lock(file);
  agent.read(file);
  const { call, post } = agent.edit(file, '1\n', 'one\n');
  expect(post?.exit).toBe(0);
  expect(agent.guard('lock', 'release', at.path(file)).exit).toBe(0);
  return call.id;
}

const asked = (agent: Session, command: string): Answer => agent.pre(agent.call('Bash', { command }));

test.each(['git add -A && git commit -qm x', 'git checkout -- a.txt'])(
  'what both remember is its own: %s',
  (command) => {
    const { fork } = family((op) => `${'{"type":"mode"}\n'.repeat(200_000)}${called(op)}\n`);
    expect(asked(fork, command).denial).toBeNull();
  },
);

test('what its parent wrote since is the parent’s, though it stands in a transcript that both go on with', () => {
  const { at, parent, fork } = family(called);
  const later = write(at, parent, 'b.txt');
  transcript(at, fork, called(later));
  expect(asked(fork, 'git add b.txt').denial).toMatchObject({
    error_type: 'WORK_OF_OTHERS',
    details: { holders: [parent.name] },
  });
});

test('a call that only stands in what a tool printed is nobody’s memory', () => {
  const { fork } = family((op) => JSON.stringify({ toolUseResult: { stdout: called(op) } }));
  expect(asked(fork, 'git add -A').denial?.error_type).toBe('WORK_OF_OTHERS');
});

test.each([
  [
    'an input',
    (call: object) => ({
      type: 'assistant',
      message: { content: [{ type: 'tool_use', id: 'x', input: call }] },
    }),
  ],
  ['a result', (call: object) => ({ type: 'user', toolUseResult: { content: [call] } })],
])('nor is one that was handed over whole as %s', (_, told) => {
  const { fork } = family((op) => `${JSON.stringify(told({ type: 'tool_use', id: op }))}\n`);
  expect(asked(fork, 'git add -A').denial?.error_type).toBe('WORK_OF_OTHERS');
});

test('a session that knows nothing of it, and one without a transcript, are refused', () => {
  const { at, fork } = family(() => called('toolu_other'));
  expect(asked(fork, 'git add -A').denial?.error_type).toBe('WORK_OF_OTHERS');
  const other = new Session(at);
  other.prompt();
  expect(asked(other, 'git add -A').denial?.error_type).toBe('WORK_OF_OTHERS');
});
