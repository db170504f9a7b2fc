/** Readers and writers of MCP servers that guard.config.json names. */
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expectEnvelope, oneAgent, scratch, setUpBy, working, wrongs } from './driver.ts';

const CONFIG = {
  mcp: {
    writers: [
      { tool: 'mcp__lab__put_file', paths: ['path'] },
      { tool: 'mcp__fs__move', paths: ['source', 'destination'] },
      { tool: 'mcp__fs__edit_all', paths: ['edits.path'] },
      { tool: 'mcp__fs__write_*', paths: ['path', 'options.backup'] },
    ],
    readers: [{ tool: 'mcp__lab__get_file', paths: ['path'] }],
  },
};
const setup = { files: { 'a.txt': 'one\n', 'b.txt': 'one\n' }, config: CONFIG };

describe('a writer of an MCP server', () => {
  it('is judged like Write, and what it wrote is a baseline', () => {
    const { at, agent } = oneAgent(setup);
    const call = () => agent.call('mcp__lab__put_file', { path: at.path('a.txt'), text: 'mine\n' });
    expect(wrongs(agent.pre(call()))).toEqual(['NOT_LOCKED']);
    agent.lock('a.txt');
    agent.run(call(), () => at.put('a.txt', 'mine\n'));
    expect(at.log('write')[0]).toMatchObject({
      path: 'a.txt',
      tool: 'mcp__lab__put_file',
      content: 'unknown',
    });
    expect(agent.pre(call()).exit).toBe(0);
    agent.batch();
    at.put('a.txt', 'theirs\n');
    expect(wrongs(agent.pre(call()))).toEqual(['STALE_FILE']);
  });

  it('with a pattern for a name and a place inside of its input is judged for every file it names', () => {
    const { at, agent } = oneAgent(setup);
    agent.lock('a.txt');
    const input = { path: at.path('a.txt'), options: { backup: at.path('b.txt') } };
    expect(expectEnvelope(agent.pre(agent.call('mcp__fs__write_text', input)))).toMatchObject({
      error_type: 'NOT_LOCKED',
      details: { path: at.path('b.txt') },
    });
  });

  it('of several files names each with what is wrong with it, and every step', () => {
    const { at, agent } = oneAgent(setup);
    agent.read('a.txt');
    at.put('a.txt', 'theirs\n');
    const edits = [{ path: at.path('b.txt') }, { path: at.path('a.txt') }, { path: at.path('src') }];
    fs.mkdirSync(at.path('src'));
    const { details } = expectEnvelope(agent.pre(agent.call('mcp__fs__edit_all', { edits })));
    expect(details.targets).toMatchObject([
      { path: at.path('a.txt'), error_types: ['STALE_FILE', 'NOT_LOCKED'] },
      { path: at.path('b.txt'), error_types: ['NOT_LOCKED'] },
    ]);
    expect(details.next).toEqual([
      expect.stringMatching(/lock try .*a\.txt$/),
      expect.stringMatching(/lock try .*b\.txt$/),
      `Read ${at.path('a.txt')} again, with offset and limit if it is said to be unchanged`,
    ]);
  });

  it('approves all files or none', () => {
    const { at, agent } = oneAgent(setup);
    agent.lock('a.txt');
    const call = agent.call('mcp__fs__move', { source: at.path('a.txt'), destination: at.path('c.txt') });
    expect(wrongs(agent.pre(call))).toEqual(['NOT_LOCKED']);
    expect(at.log('intent')).toEqual([]);
    agent.lock('c.txt');
    expect(agent.pre(call).exit).toBe(0);
    expect(at.log('intent')[0]).toMatchObject({ paths: ['a.txt', 'c.txt'] });
  });

  it('that does not say which file it writes is denied', () => {
    const { agent } = oneAgent(setup);
    expect(expectEnvelope(agent.pre(agent.call('mcp__lab__put_file', { where: '/x' })))).toMatchObject({
      error_type: 'GUARD_ERROR',
      details: { code: 'GUARD_ERR_INPUT' },
    });
  });

  it('that is in no configuration passes', () => {
    const { at, agent } = oneAgent(setup);
    expect(agent.pre(agent.call('mcp__other__write', { path: at.path('a.txt') }))).toMatchObject({
      exit: 0,
      stdout: '',
    });
  });
});

describe('a reader of an MCP server', () => {
  it('that shows the text of the file takes the baseline', () => {
    const { at, agent } = oneAgent(setup);
    agent.lock('a.txt');
    const call = agent.call('mcp__lab__get_file', { path: at.path('a.txt') });
    agent.post(call, [{ type: 'text', text: 'one\n' }]);
    at.put('a.txt', 'theirs\n');
    expect(wrongs(agent.write('a.txt', 'x').pre)).toEqual(['STALE_FILE']);
  });

  it('that shows something else than the file proves nothing', () => {
    const { at, agent } = oneAgent(setup);
    agent.lock('a.txt');
    agent.post(agent.call('mcp__lab__get_file', { path: at.path('a.txt') }), [
      { type: 'text', text: 'summary' },
    ]);
    expect(wrongs(agent.write('a.txt', 'x').pre)).toEqual(['STALE_FILE']);
  });
});

describe('one call for files of two repositories', () => {
  it('is judged in both ledgers; a denial in the second takes back the approval in the first', () => {
    const there = scratch({ files: { 'x.txt': 'one\n' } });
    const { at, agent } = oneAgent(setup);
    setUpBy(there, at);
    const input = { source: at.path('a.txt'), destination: there.path('x.txt') };
    const call = () => agent.call('mcp__fs__move', input);
    agent.lock('a.txt');
    expect(expectEnvelope(agent.pre(call())).details.path).toBe(there.path('x.txt'));
    expect(at.guard('status', '--json').json()).toMatchObject({ agents: [{ writing: [] }] });
    there.guardWith(agent.env, 'lock', 'try', 'x.txt');
    const approved = call();
    expect(agent.pre(approved).exit).toBe(0);
    const other = working(there);
    expect(wrongs(other.write('x.txt', 'y').pre)).toEqual(['LOCKED_BY_OTHER', 'WRITE_IN_FLIGHT']);
    agent.batch(approved);
    expect(wrongs(other.write('x.txt', 'y').pre)).toEqual(['LOCKED_BY_OTHER']);
  });

  it('main checkout and linked worktree are two files in one ledger, each judged', () => {
    const { at, agent } = oneAgent(setup);
    at.git('-c', 'user.email=a@b', '-c', 'user.name=x', 'commit', '-q', '--allow-empty', '-m', 'x');
    at.git('worktree', 'add', '-q', `${at.home}/wt`);
    agent.lock('a.txt');
    const call = agent.call('mcp__fs__move', {
      source: at.path('a.txt'),
      destination: `${at.home}/wt/a.txt`,
    });
    const denial = expectEnvelope(agent.pre(call));
    expect([denial.error_type, denial.details.path]).toEqual(['NOT_LOCKED', `${at.home}/wt/a.txt`]);
  });
});
