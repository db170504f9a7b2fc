/** Agents whose disk is full: they work on within their limits, can be ended, and their end is recorded later. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileLines } from '../../src/harness/agent-files.ts';
import { openEventLog } from '../../src/harness/event-log.ts';
import { streamProgress } from '../../src/harness/stream.ts';
import { requiredOrSkipped } from '../required.ts';
import { scratchDir } from '../install/scratch.ts';
import { canMount, mounted, smallDisk } from './disk.ts';
import { harness, type Harness, until } from './harness.ts';

if (!canMount) requiredOrSkipped('root on Linux, for a full disk');

/** A repository whose ledger and logs are on such a disk. */
function onSmallDisk(roles = {}) {
  const at = harness({}, roles);
  return { at, ...smallDisk(at.at, '4m') };
}

const LONG = 'x'.repeat(9_000);
const waitFor = (file: string): string => `sh while ! test -e ${file}; do sleep 0.05; done`;
const BLOCK = '```json\\n{"summary":"did it","changes":["a"],"issues":[],"questions":[]}\\n```';
const pause = (duration_ms: number) => new Promise((resolve) => setTimeout(resolve, duration_ms));
const isAlive = (pid: number): boolean => readFileSync(`/proc/${pid}/stat`, 'latin1').length > 0;

async function atWork(at: Harness, id: string): Promise<void> {
  await until(() => at.list().find((row) => row.id === id)?.turns === 1, 15_000);
}

describe.runIf(canMount)('an agent whose disk is full', () => {
  it('works on, is looked after, and its report is on record when there is room again', async () => {
    const { at, fill, free } = onSmallDisk();
    const id = at.draft('dev', [
      'say One.',
      waitFor('full'),
      `say ${LONG}`,
      `say ${LONG}`,
      'sleep 900',
      `result ${BLOCK}`,
    ]);
    await atWork(at, id);
    const supervisor = at.supervisor(id);
    fill();
    at.at.put('full', '');
    await until(() => at.processes(id).length === 0, 15_000);
    expect(isAlive(supervisor)).toBe(true);
    expect(at.list()).toMatchObject([{ id, status: 'running' }]);
    free();
    expect(at.await(id)).toMatchObject({ status: 'completed', result: { summary: 'did it' } });
    expect(at.at.log('exit')).toHaveLength(1);
  });

  it('is held to its limits all the same', async () => {
    const { at, fill, free } = onSmallDisk();
    const talk = Array.from({ length: 9 }, (_, n) => [`say ${n} ${LONG}`, 'sleep 200']).flat();
    const id = at.draft('short', ['say One.', waitFor('full'), ...talk, 'hang']);
    await atWork(at, id);
    fill();
    at.at.put('full', '');
    await until(() => at.processes(id).length === 0, 15_000);
    free();
    expect(at.await(id)).toMatchObject({ status: 'budget', reason: 'it took more than 3 turns' });
  });

  it('is ended by who wants it ended, who is told that this is not on record yet', async () => {
    const { at, fill, free } = onSmallDisk();
    const id = at.draft('dev', ['child', 'say One.', 'hang']);
    await atWork(at, id);
    fill();
    const told = at.guard('agent', 'kill', id, '--json').json();
    expect(told).toMatchObject({ success: true, message: expect.stringContaining('disk is full') as string });
    expect(at.processes(id)).toEqual([]);
    free();
    expect(at.await(id)).toMatchObject({ status: 'killed', message: 'One.' });
  });

  it('is waited for until it is over: the disk ends nobody’s wait', async () => {
    const { at, fill, free } = onSmallDisk();
    const id = at.draft('dev', ['say One.', waitFor('full'), `result ${BLOCK}`]);
    const lead = at.draft('lead', ['hang']);
    await until(() => at.list().every(({ status }) => status === 'running'), 15_000);
    await atWork(at, id);
    fill();
    const asLead = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: lead.slice('claude-'.length) };
    const waits = [
      at.at.startGuard(at.env, 'agent', 'await', id, '--json').done,
      at.at.startGuard({ ...at.env, ...asLead }, 'agent', 'await', id, '--json').done,
    ];
    await pause(3_000);
    at.at.put('full', '');
    await pause(2_000);
    free();
    for (const { exit, stdout, stderr } of await Promise.all(waits))
      expect([exit, stderr, JSON.parse(stdout)]).toMatchObject([
        0,
        expect.not.stringContaining('GUARD_ERR') as string,
        { status: 'completed', result: { summary: 'did it' } },
      ]);
  });

  it('and whose supervisor was killed is ended by the next look, and that is on record when there is room', async () => {
    const { at, fill, free } = onSmallDisk();
    const id = at.draft('dev', ['deaf', 'say One.', 'hang']);
    await atWork(at, id);
    fill();
    process.kill(at.supervisor(id), 'SIGKILL');
    await until(() => at.guard('agent', 'list').exit === 0 && at.processes(id).length === 0, 15_000);
    free();
    expect(at.await(id)).toMatchObject({ status: 'failed', message: 'One.' });
  });
});

describe.runIf(canMount)('the disk of the working tree is full, and that of the ledger is not', () => {
  const report = (summary: string): string => `result \`\`\`json\\n{"summary":"${summary}"}\\n\`\`\``;

  it('whoever is over and is told something is queued, and works when there is room', () => {
    const at = harness();
    const id = at.draft('dev', [report('first')]);
    expect(at.await(id)).toMatchObject({ status: 'completed' });
    const { fill, free } = mounted(at.at.path('.agents'), '4m');
    fill();
    const told = at.guard('agent', 'send', id, '--json', '--', report('second'));
    expect([told.exit, told.json()]).toMatchObject([0, { agentId: id, status: 'queued' }]);
    expect(at.list()).toMatchObject([{ id, status: 'queued' }]);
    free();
    expect(at.await(id)).toMatchObject({ status: 'completed', result: { summary: 'second' } });
  });
});

describe('a log', () => {
  it.runIf(canMount)('on a full disk has whole lines only, and what waited when there is room', () => {
    const dir = scratchDir('guard-log-');
    const { fill, free } = mounted(dir, '64k');
    const file = join(dir, 'events.jsonl');
    const log = openEventLog(file);
    log.add('{"n":1}');
    fill();
    for (let n = 0; n < 3; n++) log.add(JSON.stringify({ long: LONG }));
    expect(readFileSync(file, 'utf8')).toBe('{"n":1}\n');
    free();
    log.add('{"n":2}');
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(5);
  });

  it('that was cut short in the middle of an event has no last words in it', () => {
    const file = join(scratchDir('guard-log-'), 'events.jsonl');
    const said = { type: 'assistant', message: { id: 'm', content: [{ type: 'text', text: 'Hm.' }] } };
    writeFileSync(file, `${JSON.stringify(said)}\n{"type":"system","subtype":"init","tools":["Ba`);
    expect(streamProgress(fileLines(file)).text).toBe('Hm.');
  });

  it('keeps no supervisor from its work, whatever becomes of it', () => {
    const file = join(scratchDir('guard-log-'), 'events.jsonl');
    mkdirSync(file);
    expect(() => openEventLog(file).add('x')).not.toThrow();
  });
});
