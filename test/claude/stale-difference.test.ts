/** What STALE_FILE and UNREAD_FILE say about the change itself. */
import fs from 'node:fs';
import { expect, test } from 'vitest';

import { disk, expectEnvelope, oneAgent, sha256, working } from './driver.ts';
import type { Denial, Scratch, Session } from './driver.ts';

const LINES = Array.from({ length: 30 }, (_, at) => `line ${String(at + 1)}`);
const TEXT = `${LINES.join('\n')}\n`;

function stale(agent: Session, file = 'x.txt'): Denial {
  const denial = expectEnvelope(agent.edit(file, 'line 1\n', 'LINE 1\n').pre);
  expect(denial.error_type).toBe('STALE_FILE');
  return denial;
}

function reading(text = TEXT, file = 'x.txt'): { at: Scratch; agent: Session } {
  const { at, agent } = oneAgent({ files: { [file]: text } });
  agent.lock(file);
  agent.read(file);
  return { at, agent };
}

test('the lines that changed since the agent looked, and by whom', () => {
  const { at, agent } = oneAgent({ files: { 'x.txt': TEXT } });
  agent.read('x.txt');
  const other = working(at);
  other.lock('x.txt');
  other.read('x.txt');
  other.edit('x.txt', 'line 7\n', 'seven\n');
  other.guard('lock', 'release', at.path('x.txt'));
  agent.lock('x.txt');
  const { details } = stale(agent);
  expect(details['diff']).toBe('@@ -7,1 +7,1 @@\n-line 7\n+seven');
  expect(details['changed_by']).toBe(other.name);
  expect(details).not.toHaveProperty('omitted_lines');
});

test('whole hunks as long as they fit, and how many lines there are besides', () => {
  const { at, agent } = reading();
  const changed = LINES.map((line, i) => (i % 2 === 0 ? `${line} ${'x'.repeat(200)}` : line));
  at.put('x.txt', `${changed.join('\n')}\n`);
  const { diff, omitted_lines } = stale(agent).details;
  expect(String(diff).length).toBeLessThanOrEqual(1_500);
  const shown = String(diff)
    .split('\n')
    .filter((line) => /^[-+]/.test(line)).length;
  expect(shown % 2).toBe(0);
  expect(shown + Number(omitted_lines)).toBe(30);
});

test('not a word of it in the ledger', () => {
  const { at, agent } = reading();
  at.put('x.txt', TEXT.replace('line 7', 'hush'));
  expect(stale(agent).details['diff']).toContain('hush');
  expect(
    fs.readFileSync(
      `${at.state}/${fs.readdirSync(at.state).find((name) => name.startsWith('ledger-')) ?? ''}`,
      'utf8',
    ),
  ).not.toContain('hush');
});

test.each([
  ['a file that copies are never made of', '.env', TEXT, TEXT.replace('line 7', 'seven')],
  ['bytes that are no text', 'x.txt', TEXT, Buffer.from([0xff, 0xfe, 0xff])],
])('nothing of %s', (_, file, before, after) => {
  const { at, agent } = reading(before, file);
  at.put(file, after);
  expect(stale(agent, file).details).not.toHaveProperty('diff');
});

test('nothing where the content is not kept any more, and the denial is what it was', () => {
  const { at, agent } = reading();
  fs.rmSync(`${at.state}/contents`, { recursive: true });
  at.put('x.txt', TEXT.replace('line 7', 'seven'));
  expect(stale(agent).details).not.toHaveProperty('diff');
});

test('having been told, the agent must read all the same', () => {
  const { at, agent } = reading();
  at.put('x.txt', TEXT.replace('line 7', 'seven'));
  stale(agent);
  stale(agent);
  agent.read('x.txt');
  expect(agent.edit('x.txt', 'line 1\n', 'LINE 1\n').pre.exit).toBe(0);
});

test('with "undo" off nothing is kept, and everything else goes on', () => {
  const { at, agent } = oneAgent({ files: { 'x.txt': TEXT }, config: { undo: { enabled: false } } });
  agent.lock('x.txt');
  agent.read('x.txt');
  expect(agent.edit('x.txt', 'line 1\n', 'LINE 1\n').post?.exit).toBe(0);
  expect(fs.existsSync(`${at.state}/contents`)).toBe(false);
});

test('a store that cannot be used stops nobody', () => {
  const { at, agent } = oneAgent({ files: { 'x.txt': TEXT } });
  fs.writeFileSync(`${at.state}/contents`, '');
  agent.lock('x.txt');
  agent.read('x.txt');
  expect(agent.edit('x.txt', 'line 1\n', 'LINE 1\n').post?.exit).toBe(0);
  at.put('x.txt', TEXT);
  expect(stale(agent).details).not.toHaveProperty('diff');
});

test('every version that guard sees is kept: before, after, and what came in between', () => {
  const { at, agent } = reading();
  agent.edit('x.txt', 'line 1\n', 'LINE 1\n');
  at.put('x.txt', TEXT.replace('line 7', 'seven'));
  agent.read('x.txt');
  expect(fs.readdirSync(`${at.state}/contents`).filter((name) => name.length === 64)).toHaveLength(3);
  expect(at.git('status', '--porcelain', '--ignored')).not.toContain('contents');
});

test(
  'twelve sessions that see the same content at once leave it once, whole',
  { timeout: 120_000 },
  async () => {
    const { at, agent } = oneAgent({ files: { 'x.txt': TEXT.repeat(1_000) } });
    const sessions = [agent, ...Array.from({ length: 11 }, () => working(at))];
    const file_path = at.path('x.txt');
    const event = {
      tool_name: 'Read',
      tool_input: { file_path },
      tool_response: disk.read(file_path),
      tool_use_id: 'r',
    };
    await Promise.all(sessions.map((session) => session.fireLater('PostToolUse', event)));
    const digest = sha256(fs.readFileSync(file_path));
    expect(fs.readdirSync(`${at.state}/contents`)).toEqual([digest]);
    expect(fs.readFileSync(`${at.state}/contents/${digest}`)).toEqual(fs.readFileSync(file_path));
  },
);
