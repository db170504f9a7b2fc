/** Lock enforcement: required, auto, off, strict; and a denial's steps work. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { expectEnvelope, oneAgent, type Scratch, working, wrongs } from './driver.ts';

const files = { 'src/a.txt': 'one\n' };

/** Runs a command as the agent's Bash tool would. */
const sh = (at: Scratch, env: Readonly<Record<string, string>>, command: string): string =>
  execFileSync('sh', ['-c', command], { cwd: at.path('src'), env: { ...at.env, ...env }, encoding: 'utf8' });

describe('required, the default', () => {
  it('a write without a lock is denied as NOT_LOCKED, in the words of the lock enforcement hook', () => {
    const { at, agent } = oneAgent({ files });
    const denial = expectEnvelope(agent.edit('src/a.txt', 'one', 'two').pre);
    expect(denial.error_type).toBe('NOT_LOCKED');
    expect(denial.message).toContain(`File ${at.path('src/a.txt')} is not locked.`);
    expect(denial.message).toContain(denial.details.next[0]);
  });

  it('the next command of the denial works as it stands, from any directory, and then the write lands', () => {
    const { at, agent } = oneAgent({ files });
    const { next } = expectEnvelope(agent.edit('src/a.txt', 'one', 'two').pre).details;
    expect(next).toHaveLength(1);
    sh(at, agent.env, next[0] ?? '');
    expect(agent.edit('src/a.txt', 'one', 'two').post?.exit).toBe(0);
    expect(at.read('src/a.txt')).toBe('two\n');
  });

  it('the next command works for a name with blanks, quotes, dollars and a newline in it', () => {
    const name = `src/it's "a" $(b) \`c\`\n.txt`;
    const { at, agent } = oneAgent({ files: { ...files, [name]: 'one\n' } });
    const { next } = expectEnvelope(agent.edit(name, 'one', 'two').pre).details;
    sh(at, agent.env, next[0] ?? '');
    expect(agent.edit(name, 'one', 'two').post?.exit).toBe(0);
  });

  it('the second agent is denied by name of the holder, and waiting as it is told to works', async () => {
    const { at, agent } = oneAgent({ files });
    const other = working(at);
    agent.lock('src/a.txt');
    const denial = expectEnvelope(other.edit('src/a.txt', 'one', 'two').pre);
    expect(denial).toMatchObject({
      error_type: 'LOCKED_BY_OTHER',
      details: { holder: agent.name, holders: [agent.name] },
    });
    const command = denial.details.next[0] ?? '';
    expect(command).toContain('lock wait');
    const waiting = at.startGuard(other.env, ...command.split(' ').slice(2));
    agent.stop();
    expect((await waiting.done).exit).toBe(0);
    expect(other.edit('src/a.txt', 'one', 'two').post?.exit).toBe(0);
  });

  it('a stale and unlocked file is STALE_FILE, and the steps say lock first, then read', () => {
    const { at, agent } = oneAgent({ files });
    agent.read('src/a.txt');
    at.put('src/a.txt', 'theirs\n');
    const { pre } = agent.edit('src/a.txt', 'one', 'two');
    expect(wrongs(pre)).toEqual(['STALE_FILE', 'NOT_LOCKED']);
    const [lock = '', read = ''] = pre.denial?.details.next ?? [];
    sh(at, agent.env, lock);
    expect(read).toBe(
      `Read ${at.path('src/a.txt')} again, with offset and limit if it is said to be unchanged`,
    );
    agent.read('src/a.txt');
    expect(agent.edit('src/a.txt', 'theirs', 'two').post?.exit).toBe(0);
  });

  it('a shared lock does not cover a write', () => {
    const { agent } = oneAgent({ files });
    agent.guard('lock', 'try', 'src/a.txt', '--shared');
    expect(agent.edit('src/a.txt', 'one', 'two').pre.denial?.error_type).toBe('NOT_LOCKED');
  });

  it('neither the environment nor guard.config.json can make it weaker', () => {
    const { agent } = oneAgent(
      { files, config: { enforcement: 'off', unread: 'off' } },
      { env: { GUARD_ENFORCEMENT: 'off', GUARD_UNREAD: 'off' } },
    );
    expect(agent.edit('src/a.txt', 'one', 'two').pre.denial?.error_type).toBe('NOT_LOCKED');
  });
});

describe('auto', () => {
  it('the first write takes the lock, the second agent is denied, the end of the turn gives it back', () => {
    const { at, agent } = oneAgent({ files, init: ['--preset', 'auto'] });
    const other = working(at);
    expect(agent.edit('src/a.txt', 'one', 'two').post?.exit).toBe(0);
    expect(other.write('src/a.txt', 'x').pre.denial).toMatchObject({ details: { holder: agent.name } });
    agent.stopped();
    other.read('src/a.txt');
    expect(other.edit('src/a.txt', 'two', 'three').post?.exit).toBe(0);
    expect(at.log('hold').map(({ agent: who, auto }) => [who, auto])).toEqual([
      [agent.name, true],
      [other.name, true],
    ]);
  });

  it('guard.config.json may ask for more: required', () => {
    const { agent } = oneAgent({ files, init: ['--preset', 'auto'], config: { enforcement: 'required' } });
    expect(agent.edit('src/a.txt', 'one', 'two').pre.denial?.error_type).toBe('NOT_LOCKED');
  });
});

describe('off', () => {
  it('only baselines and writes in flight count, where the user says so in the user configuration', () => {
    const { at, agent } = oneAgent({ files });
    at.put(
      `${at.home}/.config/guard/config.json`,
      JSON.stringify({ enforcement: 'off', allow_weaker: true }),
    );
    const other = working(at);
    other.lock('src/a.txt');
    agent.read('src/a.txt');
    expect(agent.edit('src/a.txt', 'one', 'two').post?.exit).toBe(0);
    expect(other.read('src/a.txt').exit).toBe(0);
    agent.write('src/a.txt', 'three\n');
    expect(other.write('src/a.txt', 'x').pre.denial?.error_type).toBe('STALE_FILE');
  });

  it('in a repository that nobody initialised leases do not apply, baselines do', () => {
    const { at, agent } = oneAgent({ files, init: null });
    agent.read('src/a.txt');
    expect(agent.edit('src/a.txt', 'one', 'two').post?.exit).toBe(0);
    at.put('src/a.txt', 'theirs\n');
    expect(agent.write('src/a.txt', 'x').pre.denial?.error_type).toBe('STALE_FILE');
  });

  it('guard off, by a person at a terminal, lets writes pass for a while and says so at the next prompt', () => {
    const { at, agent } = oneAgent({ files });
    at.put(
      `${at.state}/off.json`,
      JSON.stringify({ since_wall_ms: Date.now() - 1, until_wall_ms: Date.now() + 60_000, by: 'me' }),
    );
    expect(agent.edit('src/a.txt', 'one', 'two').post?.exit).toBe(0);
    expect(agent.prompt().context).toContain('switched off until');
    expect(at.log('bypass')[0]).toMatchObject({ agent: agent.name, path: 'src/a.txt' });
  });
});

describe('strict', () => {
  it('an existing file that was never read is UNREAD_FILE, however old it is; a new one is free', () => {
    const { agent } = oneAgent({ files, init: ['--preset', 'strict'] });
    agent.lock('src/a.txt', 'src/new.txt');
    expect(agent.write('src/a.txt', 'x\n').pre.denial).toMatchObject({
      error_type: 'UNREAD_FILE',
      details: { next: [expect.stringContaining('Read ') as string] },
    });
    expect(agent.write('src/new.txt', 'x\n').post?.exit).toBe(0);
    agent.read('src/a.txt');
    expect(agent.write('src/a.txt', 'x\n').post?.exit).toBe(0);
  });
});
