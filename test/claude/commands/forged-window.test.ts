/** Any program of this user can write a window file next to the ledger; an unknown agent in one is never blamed. */
import fs from 'node:fs';
import { expect, it } from 'vitest';
import { oneAgent, type Scratch, Session, working } from '../driver.ts';
import { hidden, sh } from './really.ts';

function forge(at: Scratch, agent: string, targets: readonly string[]): void {
  const window = {
    v: 1,
    agent,
    op: 'toolu_forged',
    since_ms: Date.now() - 60_000,
    until_ms: null,
    task: null,
    in_background: true,
    targets,
    candidates: {},
  };
  fs.mkdirSync(`${at.state}/windows`, { recursive: true, mode: 0o700 });
  fs.writeFileSync(`${at.state}/windows/0123456789abcdef.json`, JSON.stringify(window));
}

it('a forged window of an invented agent takes no drift and no bypass from who did it', () => {
  const { at, agent: a } = oneAgent({ files: { 'f.txt': 'one\n' } });
  const b = working(at);
  a.read('f.txt');
  a.lock('f.txt');
  expect(b.write('f.txt', 'x').pre.exit).toBe(2);
  forge(at, 'claude-invented', ['f.txt']);
  sh(b, hidden('echo bad > f.txt'));
  expect(at.log('drift')).toMatchObject([{ path: 'f.txt', author: 'suspected', agents: [b.name] }]);
  expect(at.log('bypass')).toMatchObject([{ agent: b.name, path: 'f.txt' }]);
  expect(a.prompt().context).toContain(b.name);
});

it('with nobody else at work it is a change from outside', () => {
  const { at, agent: a } = oneAgent({ files: { 'f.txt': 'one\n' } });
  a.read('f.txt');
  a.lock('f.txt');
  forge(at, 'claude-invented', ['f.txt']);
  at.put('f.txt', 'a person\n');
  a.prompt();
  expect(at.log('drift')).toMatchObject([{ author: 'outside', agents: [] }]);
});

it('an agent whose first event is a command is known from then on', () => {
  const { at, agent: a } = oneAgent({ files: { 'f.txt': 'one\n' } });
  a.read('f.txt');
  a.lock('f.txt');
  const late = new Session(at);
  const call = late.call('Bash', { command: 'make', run_in_background: true });
  expect(late.pre(call).exit).toBe(0);
  at.put('f.txt', 'bad\n');
  a.prompt();
  expect(at.log('drift')).toMatchObject([{ author: 'suspected', agents: [late.name] }]);
});
