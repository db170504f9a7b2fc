/** Reading through Bash counts as reading only where the bytes were shown. */
import { describe, expect, it } from 'vitest';
import { type Answer, oneAgent, type Session, working } from '../driver.ts';
import { runAsClient } from './client-output.ts';

const LINES = Array.from({ length: 30 }, (_, nth) => `const value${nth} = ${nth} * ${nth};`);
const TEXT = `${LINES.join('\n')}\n`;
const NEWER = TEXT.replace('value29', 'renamed29');

/** A Bash call as the client makes it, with its real output. */
function bash(agent: Session, command: string, after: () => void = () => undefined): Answer {
  const call = agent.call('Bash', { command });
  expect(agent.pre(call).exit).toBe(0);
  const outcome = runAsClient(command, agent.cwd);
  after();
  return outcome.event === 'PostToolUse'
    ? agent.post(call, outcome.tool_response)
    : agent.failed(call, outcome.error);
}

/** b.ts was changed by another agent after this one joined; this agent holds it. */
function changedFile() {
  const { at, agent } = oneAgent({ files: { 'b.ts': TEXT } });
  const other = working(at);
  other.lock('b.ts');
  other.edit('b.ts', 'value29', 'renamed29');
  other.stopped();
  agent.lock('b.ts');
  return {
    at,
    agent,
    edit: () => agent.edit('b.ts', 'value3 ', 'third ').pre.denial?.error_type ?? 'passes',
  };
}

describe('a file that somebody else changed', () => {
  it.each([
    ['cat b.ts', 'passes'],
    ['cat -n b.ts', 'passes'],
    ['ls -la && cat b.ts 2>&1 | head -100', 'passes'],
    ["sed -n '1,15p' b.ts; sed -n '16,40p' b.ts", 'passes'],
    ['cat b.ts; false', 'passes'],
    ["sed -n '1,15p' b.ts", 'UNREAD_FILE'],
    ['grep -n value b.ts | head -3', 'UNREAD_FILE'],
    ['wc b.ts', 'UNREAD_FILE'],
    ['cat b.ts > /dev/null', 'UNREAD_FILE'],
    ['git show HEAD:b.ts 2>/dev/null || echo b.ts', 'UNREAD_FILE'],
  ])('%s: an edit then %s', (line, expected) => {
    const { agent, edit } = changedFile();
    bash(agent, line);
    expect(edit()).toBe(expected);
  });

  it('read in two calls, half of it each, is read', () => {
    const { agent, edit } = changedFile();
    bash(agent, "sed -n '1,15p' b.ts");
    expect(edit()).toBe('UNREAD_FILE');
    bash(agent, "sed -n '16,30p' b.ts");
    expect(edit()).toBe('passes');
  });
});

describe('a file that changes while a command shows it', () => {
  it('is as new as the difference that its agent is told', () => {
    const { at, agent } = oneAgent({ files: { 'b.ts': TEXT } });
    agent.lock('b.ts');
    bash(agent, 'cat b.ts');
    const { context } = bash(agent, 'cat b.ts', () => at.put('b.ts', NEWER));
    expect(context).toContain('+const renamed29');
    expect(agent.edit('b.ts', 'value3 ', 'third ').pre.exit).toBe(0);
  });

  it('is as old as what was shown where the difference is too long to be told', () => {
    const { at, agent } = oneAgent({ files: { 'b.ts': TEXT } });
    agent.lock('b.ts');
    bash(agent, 'cat b.ts');
    bash(agent, 'cat b.ts', () => at.put('b.ts', TEXT.replaceAll('const', `/* ${'x'.repeat(200)} */ const`)));
    expect(agent.edit('b.ts', 'value3 ', 'third ').pre.denial?.error_type).toBe('STALE_FILE');
  });

  it('is not known by a part that is as it was', () => {
    const { at, agent } = oneAgent({ files: { 'b.ts': TEXT } });
    agent.lock('b.ts');
    bash(agent, 'head -5 b.ts', () => at.put('b.ts', NEWER));
    expect(agent.edit('b.ts', 'value3 ', 'third ').pre.denial?.error_type).toBe('UNREAD_FILE');
  });
});

describe('what was read by Bash', () => {
  it('is stale when somebody else changes it afterwards', () => {
    const { at, agent } = oneAgent({ files: { 'b.ts': TEXT } });
    agent.lock('b.ts');
    bash(agent, 'cat b.ts');
    at.put('b.ts', NEWER);
    const { denial } = agent.edit('b.ts', 'value3 ', 'third ').pre;
    expect(denial).toMatchObject({ error_type: 'STALE_FILE', details: { cause: 'modified' } });
    bash(agent, 'cat b.ts');
    expect(agent.edit('b.ts', 'value3 ', 'third ').pre.exit).toBe(0);
  });

  it('is known to the subagent that read it, and to nobody else', () => {
    const { at, agent } = oneAgent({
      files: { 'b.ts': TEXT },
      init: ['--preset', 'auto'],
      config: { unread: 'always' },
    });
    const child = agent.subagent('s1');
    child.fire('SubagentStart');
    bash(child, 'cat b.ts');
    expect(agent.edit('b.ts', 'value3 ', 'x ').pre.denial?.error_type).toBe('UNREAD_FILE');
    expect(child.edit('b.ts', 'value3 ', 'third ').pre.exit).toBe(0);
    expect(at.read('b.ts')).toContain('third ');
  });

  it('in a directory that the command went to is found there', () => {
    const { agent } = oneAgent({
      files: { 'src/b.ts': TEXT },
      init: ['--preset', 'auto'],
      config: { unread: 'always' },
    });
    bash(agent, 'cd src && cat b.ts');
    expect(agent.edit('src/b.ts', 'value3 ', 'third ').pre.exit).toBe(0);
  });
});
