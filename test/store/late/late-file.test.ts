/** Files beside the ledger that no guard left there, or that came to harm. */
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
import { readNow } from '../../../src/repo/clock.ts';
import { sealLine } from '../../../src/store/sealed-line.ts';
import { failure } from '../kit.ts';
import { type Ledger, onLedger, onlyFile, over, present, takenIn, WRITE } from './on-ledger.ts';

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
      writeFileSync(file, sealLine({ v: 1, id: 'x', event: over('a'), now: readNow(), left_us: 1 })),
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

  test('a file in place of the directory keeps nobody out, and nothing can be left', () =>
    onLedger((at) => {
      at.run(present('a'));
      writeFileSync(at.late, '');
      expect(failure(() => at.leave(over('a'))).code).toBe('GUARD_ERR_BUSY');
      at.run(present('b'));
      expect(at.types()).toEqual(['agent.join', 'agent.join']);
    }));
});
