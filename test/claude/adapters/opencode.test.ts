/** opencode, through guard's plugin: `guard hook --host opencode EVENT`. */
import { describe, expect, it } from 'vitest';
import { expectEnvelope, scratch, type Scratch } from '../driver.ts';
import { recorded } from '../hosts/events.ts';
import { told } from './host.ts';

const files = { 'a.txt': 'one\ntwo\nthree\nfour\nfive\n', 'b.txt': 'alpha\nbeta\ngamma\n' };
const auto = { files, init: ['--preset', 'auto'] };

const fire = (at: Scratch, name: string, fields: object = {}) =>
  told(at, 'opencode', { pid: process.pid, directory: at.root, ...fields }, { name, env: { OPENCODE: '1' } });

const input = (tool: string, callID = 'c1') => ({ tool, sessionID: 'ses_1', callID });

const read = (at: Scratch) => {
  const text = at.read('a.txt').replace(/\n$/, '');
  const lineEnd = text.split('\n').length;
  return fire(at, 'tool.execute.after', {
    input: { ...input('read'), args: { filePath: at.path('a.txt') } },
    output: { output: text, metadata: { display: { text, lineStart: 1, lineEnd, totalLines: lineEnd } } },
  });
};

const args = (at: Scratch, oldString: string, newString: string) => ({
  filePath: at.path('a.txt'),
  oldString,
  newString,
});

describe('an agent of opencode', () => {
  it('edits, is denied after a change from outside, reads, and edits', () => {
    const at = scratch(auto);
    fire(at, 'chat.message', { input: { sessionID: 'ses_1' } });
    read(at);
    const edit = args(at, 'two', 'TWO');
    expect(fire(at, 'tool.execute.before', { input: input('edit'), output: { args: edit } }).exit).toBe(0);
    at.put('a.txt', at.read('a.txt').replace('two', 'TWO'));
    fire(at, 'tool.execute.after', {
      input: { ...input('edit'), args: edit },
      output: { output: 'ok', metadata: {} },
    });
    expect(at.log('write')).toMatchObject([
      { agent: 'opencode-ses_1', path: 'a.txt', content: 'as_expected' },
    ]);
    at.put('a.txt', at.read('a.txt').replace('five', 'OUTSIDE'));
    const again = { input: input('edit', 'c2'), output: { args: args(at, 'one', '1') } };
    const denial = expectEnvelope(fire(at, 'tool.execute.before', again));
    expect([denial.error_type, denial.details.next]).toEqual([
      'STALE_FILE',
      [`read ${at.path('a.txt')} again`],
    ]);
    read(at);
    expect(fire(at, 'tool.execute.before', again).exit).toBe(0);
  });

  it('has a patch judged by all its files', () => {
    const at = scratch({ files });
    const patchText = '*** Begin Patch\n*** Add File: c.txt\n+x\n*** Delete File: b.txt\n*** End Patch';
    const answer = fire(at, 'tool.execute.before', {
      input: input('apply_patch'),
      output: { args: { patchText } },
    });
    expect(expectEnvelope(answer).details.targets).toHaveLength(2);
  });

  it('of a session below another one is its subagent', () => {
    const at = scratch(auto);
    const sub = { input: { ...input('edit'), sessionID: 'ses_2' }, output: { args: args(at, 'two', 'TWO') } };
    fire(at, 'tool.execute.before', { ...sub, root: 'ses_1' });
    expect(at.log('intent')).toMatchObject([{ agent: 'opencode-ses_1/ses_2' }]);
  });
});

describe('a recorded session of opencode', () => {
  it('goes through without a denial, and every record is its own', () => {
    const at = scratch(auto);
    const answers = recorded('opencode', at.root).map(({ event, stdin }) => [
      event,
      fire(at, event, stdin).exit,
    ]);
    expect(answers.filter(([, exit]) => exit !== 0)).toEqual([]);
    const agents = new Set(at.log().map(({ agent }) => String(agent)));
    expect([...agents].filter((agent) => !agent.startsWith('opencode-'))).toEqual([]);
  });
});
