/** "Read and plan", another edit, "go ahead": the edit in between is never lost, however the conversation continues. */
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expectEnvelope, oneAgent, scratch, Session, sha256, working } from './driver.ts';

const files = { 'a.txt': 'one\ntwo\n' };

describe('a new prompt', () => {
  it('resets the baselines: content that nobody changed may be written without a new read', () => {
    const { at, agent } = oneAgent({ files });
    agent.read('a.txt');
    agent.stop();
    agent.prompt('go ahead');
    agent.lock('a.txt');
    expect(agent.edit('a.txt', 'one', 'ONE').post?.exit).toBe(0);
    expect(at.read('a.txt')).toBe('ONE\ntwo\n');
  });

  it('"read and plan", somebody edits, "go ahead": UNREAD_FILE, and a read is the way on', () => {
    const { at, agent } = oneAgent({ files });
    agent.read('a.txt');
    agent.stop();
    at.put('a.txt', 'theirs\none\n');
    agent.prompt('go ahead');
    agent.lock('a.txt');
    const denial = expectEnvelope(agent.write('a.txt', 'ONE\ntwo\n').pre);
    expect(denial).toMatchObject({
      error_type: 'UNREAD_FILE',
      details: { current_disk_hash: sha256(Buffer.from('theirs\none\n')), changed_by: 'outside' },
    });
    expect(at.read('a.txt')).toBe('theirs\none\n');
    agent.read('a.txt');
    expect(agent.edit('a.txt', 'one', 'ONE').post?.exit).toBe(0);
  });

  it('names the agent whose guarded write came in between', () => {
    const { at, agent } = oneAgent({ files });
    agent.read('a.txt');
    agent.stop();
    const other = working(at);
    other.lock('a.txt');
    other.edit('a.txt', 'one', 'theirs');
    other.stopped();
    agent.prompt('go ahead');
    agent.lock('a.txt');
    const { details } = expectEnvelope(agent.write('a.txt', 'mine\n').pre);
    expect(details['changed_by']).toBe(other.name);
  });

  it('forgets a file that was deleted between the turns: creating it overwrites nothing', () => {
    const { at, agent } = oneAgent({ files });
    agent.read('a.txt');
    agent.stop();
    fs.rmSync(at.path('a.txt'));
    agent.prompt('go ahead');
    agent.lock('a.txt');
    expect(agent.write('a.txt', 'mine\n').post?.exit).toBe(0);
  });

  it('that the client wrote itself, a task notification, is no new turn: the lock and the baseline stay', () => {
    const { at, agent } = oneAgent({ files });
    agent.lock('a.txt');
    agent.read('a.txt');
    at.put('a.txt', 'theirs\n');
    agent.prompt(
      '<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n</task-notification>',
    );
    expect(agent.write('a.txt', 'mine\n').pre.denial?.error_type).toBe('STALE_FILE');
  });
});

describe('a session that goes on elsewhere', () => {
  it('resumed (same id, new process): what was edited meanwhile is stale', () => {
    const { at, agent } = oneAgent({ files });
    agent.read('a.txt');
    agent.stop();
    agent.end();
    at.put('a.txt', 'theirs\n');
    const resumed = new Session(at, { id: agent.id });
    resumed.start('resume');
    resumed.prompt();
    resumed.lock('a.txt');
    expect(resumed.write('a.txt', 'mine\n').pre.denial?.error_type).toBe('UNREAD_FILE');
    expect(at.log('agent.join').map(({ agent: who, how }) => [who, how])).toEqual([
      [agent.name, 'joined'],
      [agent.name, 'returned'],
    ]);
  });

  it('resumed and untouched: nothing needs to be read again', () => {
    const { at, agent } = oneAgent({ files });
    agent.read('a.txt');
    agent.end();
    const resumed = working(at, { id: agent.id });
    resumed.lock('a.txt');
    expect(resumed.edit('a.txt', 'one', 'ONE').post?.exit).toBe(0);
  });

  it('compacted in mid-turn: the baseline outlives the text', () => {
    const { at, agent } = oneAgent({ files });
    agent.lock('a.txt');
    agent.read('a.txt');
    agent.start('compact');
    at.put('a.txt', 'theirs\n');
    expect(agent.write('a.txt', 'mine\n').pre.denial?.error_type).toBe('STALE_FILE');
  });

  it('forked (new id, old context): every existing file is unread until it is read', () => {
    const { at, agent } = oneAgent({ files });
    agent.read('a.txt');
    const forked = new Session(at);
    forked.start('fork');
    forked.prompt('go ahead');
    forked.lock('a.txt', 'new.txt');
    expect(forked.edit('a.txt', 'one', 'ONE').pre.denial?.error_type).toBe('UNREAD_FILE');
    expect(forked.write('new.txt', 'x\n').post?.exit).toBe(0);
    forked.read('a.txt');
    expect(forked.edit('a.txt', 'one', 'ONE').post?.exit).toBe(0);
  });

  it('cleared: the new session knows nothing, files from before it are free', () => {
    const at = scratch({ files });
    const cleared = new Session(at);
    cleared.start('clear');
    cleared.prompt();
    cleared.lock('a.txt');
    expect(cleared.edit('a.txt', 'one', 'ONE').post?.exit).toBe(0);
  });
});

describe('two live processes on one session id', () => {
  it('are two agents: the second is ~2, cannot use the lock of the first, and has read nothing', () => {
    const { at, agent } = oneAgent({ files });
    agent.lock('a.txt');
    agent.read('a.txt');
    const twin = working(at, { id: agent.id });
    const denied = twin.edit('a.txt', 'one', 'ONE').pre;
    expect(denied.denial).toMatchObject({
      error_type: 'UNREAD_FILE',
      details: { also: ['LOCKED_BY_OTHER'], holder: agent.name },
    });
    expect(at.log('write.rejected')[0]).toMatchObject({ agent: `${agent.name}~2` });
    expect(agent.edit('a.txt', 'one', 'ONE').post?.exit).toBe(0);
  });

  it('keep their names: the second one locks as ~2 through its own process, and its end frees nothing of the first', () => {
    const { at, agent } = oneAgent({ files });
    agent.lock('a.txt');
    const twin = working(at, { id: agent.id });
    twin.lock('b.txt');
    expect(holders(at.guard('lock', 'status', 'a.txt', 'b.txt', '--json').json())).toEqual([
      agent.name,
      `${agent.name}~2`,
    ]);
    twin.end();
    expect(holders(at.guard('lock', 'status', 'a.txt', 'b.txt', '--json').json())).toEqual([
      agent.name,
      null,
    ]);
  });

  it('a command cannot call itself the second one: its process says which it is', () => {
    const { at, agent } = oneAgent();
    const twin = working(at, { id: agent.id });
    const named = ['lock', 'try', 'b.txt', '--agent', `${agent.name}~2`, '--json'];
    expect(at.guardWith({ CLAUDE_CODE_SESSION_ID: agent.id }, ...named).exit).toBe(64);
    expect(agent.guard(...named).exit).toBe(64);
    expect(twin.guard(...named).exit).toBe(0);
    expect(holders(at.guard('lock', 'status', 'b.txt', '--json').json())).toEqual([`${agent.name}~2`]);
  });
});

const holders = (status: unknown): unknown[] =>
  (status as { results: { holder: string | null }[] }).results.map(({ holder }) => holder);
