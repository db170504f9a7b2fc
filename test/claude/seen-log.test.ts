/** A file changed by another agent since it was read is stale, whatever happens to the log of reads. */
import fs from 'node:fs';
import { expect, it } from 'vitest';
import { baselineFiles } from '../../src/workspace/baseline-file.ts';
import { shorten } from '../../src/workspace/seen-log.ts';
import { sha256, oneAgent, type Scratch, type Session } from './driver.ts';

const files = { 'a.txt': 'a\n', 'b.txt': 'b\n' };
const logOf = (at: Scratch, agent: Session): string => `${at.state}/seen/${agent.name}.log`;
const staleIn = (agent: Session): string | undefined => agent.write('a.txt', 'x').pre.denial?.error_type;

/** A user who allows writes to unread files, so a lost baseline would let the write pass. */
function careless(): ReturnType<typeof oneAgent> {
  const both = oneAgent({ files });
  const dir = `${both.at.home}/.config/guard`;
  fs.mkdirSync(dir, { recursive: true });
  fs.writeFileSync(`${dir}/config.json`, JSON.stringify({ unread: 'off', allow_weaker: true }));
  return both;
}

function changed(at: Scratch, agent: Session): void {
  agent.lock('a.txt');
  agent.read('a.txt');
  at.put('a.txt', 'theirs\n');
}

it('after thousands of others were read, and the log was made shorter several times', () => {
  const { at, agent } = careless();
  changed(at, agent);
  const seen = baselineFiles(at.state, agent.name);
  const known = { turn: 1, knows: 'content', digest: sha256(Buffer.from('x')) } as const;
  for (let n = 0; n < 6_000; n++) seen.write(`src/${n % 50}.ts`, known);
  expect(fs.statSync(logOf(at, agent)).size).toBeLessThan(600_000);
  expect(staleIn(agent)).toBe('STALE_FILE');
});

it('while another hook is making it shorter, or was killed over that', () => {
  const { at, agent } = careless();
  const log = logOf(at, agent);
  agent.lock('a.txt');
  agent.read('b.txt');
  fs.writeFileSync(`${log}~`, '');
  agent.read('a.txt');
  at.put('a.txt', 'theirs\n');
  expect(fs.existsSync(`${log}~`)).toBe(false);
  shorten(log);
  expect(staleIn(agent)).toBe('STALE_FILE');
});

it('where a hook was killed in the middle of its line', () => {
  const { at, agent } = careless();
  changed(at, agent);
  const log = logOf(at, agent);
  const line = fs.readFileSync(log, 'utf8').split('\n').at(-2) ?? '';
  fs.appendFileSync(log, line.slice(0, 60));
  expect(staleIn(agent)).toBe('STALE_FILE');
});

it('and passes where the log is gone: the check can fail', () => {
  const { at, agent } = careless();
  changed(at, agent);
  fs.rmSync(logOf(at, agent));
  expect(staleIn(agent)).toBeUndefined();
});
