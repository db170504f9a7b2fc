/** Hooks and releases that find the ledger locked until their time is up. */
import { appendFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nativeFlock } from '../../../src/store/flock/native.ts';
import { disk, fieldsOf, scratch, type Scratch, working } from '../../claude/driver.ts';
import { keepBusy } from '../../locks/process.ts';

const files = { 'a.txt': 'one\n', 'b.txt': 'one\n', 'c.txt': 'one\n' };
const late = ({ state }: Scratch): number => readdirSync(join(state, 'late')).length;
const isLate = ({ state }: Scratch): boolean => existsSync(join(state, 'late'));

describe.runIf(process.platform === 'linux' && nativeFlock() !== undefined)(
  'while somebody has the ledger for longer than is waited for',
  () => {
    test('ends are told and kept, and whoever writes next finds them on record', async () => {
      const at = scratch({ files });
      const [writer, leaver, stopper, other] = [working(at), working(at), working(at), working(at)];
      writer.lock('a.txt');
      leaver.lock('b.txt');
      stopper.lock('c.txt');
      writer.read('a.txt');
      const input = { file_path: at.path('a.txt'), old_string: 'one', new_string: 'two', replace_all: false };
      const call = writer.call('Edit', input);
      expect(writer.pre(call).exit).toBe(0);
      const tool_response = disk.edit(at.path('a.txt'), 'one', 'two');
      const free = keepBusy(at);
      const told = await Promise.all([
        writer.fireLater('PostToolUse', { ...fieldsOf(call), tool_response, duration_ms: 9 }),
        leaver.fireLater('SessionEnd', { reason: 'other' }),
        stopper.fireLater('Stop', { background_tasks: [] }),
        at.startGuard(writer.env, 'lock', 'release', at.path('a.txt')).done,
      ]);
      expect(told.map(({ exit, stderr }) => [exit, stderr])).toEqual(told.map(() => [0, '']));
      expect(late(at)).toBe(4);
      expect(at.guard('status', '--json').json()).toMatchObject({ late: 4 });
      expect(at.guard('status').stdout).toContain('Not yet written to the ledger, which was busy: 4');
      free();
      const { results } = at.guard('doctor', '--json').json() as { readonly results: readonly object[] };
      expect(results).toContainEqual(
        expect.objectContaining({ id: 'late', status: 'warn', facts: { waiting: 4 } }),
      );
      // Two of them released their files; the third file became free a few seconds after its holder's Stop.
      other.lock('a.txt', 'b.txt', 'c.txt');
      expect(isLate(at)).toBe(false);
      expect(at.log('write')).toMatchObject([
        { agent: writer.name, content: 'as_expected', original: 'same' },
      ]);
      const happened = at.log().filter(({ happened_at }) => happened_at !== undefined);
      expect(happened.map(({ type }) => type).sort()).toEqual(['agent.leave', 'release', 'turn', 'write']);
      // The writer is not told about its own write.
      expect(other.guard('lock', 'release', 'a.txt').exit).toBe(0);
      writer.lock('a.txt');
      expect(writer.edit('a.txt', 'two', 'three').post?.exit).toBe(0);
    });

    test('a holder that was stopped in its commit keeps nobody from looking, and no end from being kept', async () => {
      const at = scratch({ files });
      const [leaver, other] = [working(at), working(at)];
      leaver.lock('b.txt');
      const free = keepBusy(at);
      const [segment = ''] = readdirSync(at.state).filter((name) => name.startsWith('ledger-'));
      appendFileSync(join(at.state, segment), '{"v":1,"id":"lsn:');
      expect(at.guard('lock', 'status', '--json').json()).toMatchObject({
        results: [{ holder: leaver.name }],
      });
      const end = await leaver.fireLater('SessionEnd', { reason: 'other' });
      expect([end.exit, end.stderr]).toEqual([0, '']);
      expect(late(at)).toBe(1);
      free();
      other.lock('b.txt');
      expect(at.log('ledger.cut')).toHaveLength(1);
      expect(at.log('agent.leave')).toMatchObject([{ agent: leaver.name }]);
    });
  },
);
