/** Damaged files next to the ledger, and files there that guard did not leave. */
import { execFileSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { GuardError } from '../../../src/core/error.ts';
import type { LateFile } from '../../../src/store/late/late-file.ts';
import { sealLine, unsealLine } from '../../../src/store/sealed-line.ts';
import { withFault } from '../../chaos/faults.ts';
import { bundleText, loadBundle, writeBundle } from '../bundle.ts';
import { failure } from '../kit.ts';
import { type Ledger, onLedger, onlyFile, over, present, takenIn, WRITE } from './on-ledger.ts';

const wholeIn = (file: string) => unsealLine(readFileSync(file, 'utf8'));

describe('what cannot be read', () => {
  const unread = ({ dir }: Ledger): number => readdirSync(`${dir}/late-unread`).length;
  const spoiled: Readonly<Record<string, (file: string, at: Ledger) => void>> = {
    'was damaged': (file) => writeFileSync(file, readFileSync(file, 'utf8').replace('op-1', 'op-2')),
    'was cut short': (file) => truncateSync(file, 40),
    'is empty': (file) => truncateSync(file, 0),
    'is larger than any event': (file) => truncateSync(file, 9 << 20),
    'has a second name': (file, { dir }) => linkSync(file, `${dir}/second`),
    'is a link': (file, { dir }) => {
      renameSync(file, `${dir}/real`);
      symlinkSync(`${dir}/real`, file);
    },
    'is a pipe': (file, { dir }) => {
      renameSync(file, `${dir}/real`);
      execFileSync('mkfifo', [file]);
    },
    'is a directory': (file, { dir }) => {
      renameSync(file, `${dir}/real`);
      mkdirSync(file);
    },
    'has a name of its own': (file, { late }) => renameSync(file, `${late}/..hello\n`),
    'is of a kind that is never left': (file) =>
      writeFileSync(file, sealLine({ v: 1, id: 'x', event: { type: 'lock.acquire' } })),
    'is whole, and nothing that a rule can take': (file) =>
      writeFileSync(file, sealLine({ ...wholeIn(file), event: { ...over('a'), running: 1 }, policy: null })),
  };

  test.each(Object.entries(spoiled))('because it %s is moved aside, and keeps nobody out', (_, spoil) =>
    onLedger((at) => {
      at.run(WRITE.begin(0));
      at.leave(WRITE.end);
      at.leave(over('b'));
      const file = readdirSync(at.late).find((name) =>
        readFileSync(`${at.late}/${name}`, 'utf8').includes('op-1'),
      );
      spoil(`${at.late}/${file ?? ''}`, at);
      takenIn(at);
      expect(at.types()).not.toContain('write');
      expect(at.types()).toContain('turn');
      expect(unread(at)).toBe(1);
    }),
  );

  test('because a newer guard wrote it stays where it is', () =>
    onLedger((at) => {
      at.leave(over('a'));
      const file = onlyFile(at);
      writeFileSync(file, sealLine({ v: 2 }));
      at.run(present('b'));
      expect(readdirSync(at.late)).toHaveLength(1);
    }));

  test('because somebody is writing it stays for a while', () =>
    onLedger((at) => {
      at.leave(over('a'));
      const scratch = `${at.late}/0123456789abcdef.json.12.345.tmp`;
      writeFileSync(scratch, '');
      at.run(present('b'));
      expect(readdirSync(at.late)).toHaveLength(1);
      execFileSync('touch', ['-d', '2 minutes ago', scratch]);
      takenIn(at);
    }));

  test('because the clock was set back, so that it is of a time to come, does not stay for ever', () =>
    onLedger((at) => {
      at.leave(over('a'));
      const scratch = `${at.late}/0123456789abcdef.json.12.345.tmp`;
      writeFileSync(scratch, '');
      execFileSync('touch', ['-t', '209901010000', scratch]);
      takenIn(at);
    }));

  test('goes beside what was moved aside under its name before', () =>
    onLedger((at) => {
      at.run(present('a'));
      mkdirSync(`${at.dir}/late-unread/x/y`, { recursive: true, mode: 0o700 });
      mkdirSync(at.late, { mode: 0o700 });
      writeFileSync(`${at.late}/x`, '');
      takenIn(at);
      expect(unread(at)).toBe(2);
    }));

  test('a file in place of the directory keeps nobody out, and nothing can be left until somebody commits', () =>
    onLedger((at) => {
      at.run(present('a'));
      writeFileSync(at.late, '');
      expect(failure(() => at.leave(over('a'))).code).toBe('GUARD_ERR_BUSY');
      at.run(present('b'));
      expect(at.types()).toEqual(['agent.join', 'agent.join']);
      at.leave(over('a'));
      takenIn(at);
      expect(at.types()).toContain('turn');
      expect(unread(at)).toBe(1);
    }));

  test('a link in place of the directory moves nothing of where it leads', () =>
    onLedger((at) => {
      at.run(present('a'));
      mkdirSync(`${at.dir}/elsewhere`);
      writeFileSync(`${at.dir}/elsewhere/notes`, 'x');
      symlinkSync(`${at.dir}/elsewhere`, at.late);
      takenIn(at);
      expect(readdirSync(`${at.dir}/elsewhere`)).toEqual(['notes']);
    }));

  test('a link to nothing in place of the directory is moved aside, so that events can be left again', () =>
    onLedger((at) => {
      at.run(present('a'));
      symlinkSync(`${at.dir}/nowhere`, at.late);
      at.run(present('b'));
      at.leave(over('a'));
      takenIn(at);
      expect(at.types()).toContain('turn');
    }));

  test('for want of descriptors is never taken for absent or damaged', () =>
    onLedger((at) => {
      at.run(present('a'));
      at.leave(over('a'));
      const text = bundleText(`export { lateFiles } from './src/store/late/late-file.ts';`);
      const bundle = loadBundle(writeBundle(text));
      const { lateFiles } = bundle as { readonly lateFiles: (dir: string) => readonly LateFile[] };
      const fault = { kind: 'error', code: 'EMFILE', sticky: false } as const;
      const told: unknown[] = [];
      for (let nth = 1, hit = true; hit; nth++) {
        const ran = withFault(() => lateFiles(at.dir), { at: nth, fault });
        hit = ran.hit;
        told.push((ran.error as GuardError | undefined)?.code ?? ran.result?.map(({ kind }) => kind));
      }
      // The last two: a failing close, and no fault at all.
      expect(told.slice(-2)).toEqual([['step'], ['step']]);
      expect(told.length).toBeGreaterThan(4);
      expect(new Set(told.slice(0, -2))).toEqual(new Set(['GUARD_ERR_IO']));
    }));
});
