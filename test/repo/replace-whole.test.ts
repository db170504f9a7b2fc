import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { replaceWhole, replaceWithin } from '../../src/repo/replace-whole.ts';

function dirOf(): string {
  const dir = fs.mkdtempSync(join(tmpdir(), 'guard-replace-'));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  return dir;
}

describe('a file that is replaced', () => {
  it.each([false, true])(
    'has the new content, for its user alone, and nothing beside it; flushed: %j',
    (flush) => {
      const dir = dirOf();
      replaceWhole(join(dir, 'a'), 'one', { flush });
      const before = fs.statSync(join(dir, 'a')).ino;
      replaceWhole(join(dir, 'a'), Buffer.from('two'), { flush });
      expect(fs.readFileSync(join(dir, 'a'), 'utf8')).toBe('two');
      expect(fs.statSync(join(dir, 'a')).mode & 0o777).toBe(0o600);
      expect(fs.statSync(join(dir, 'a')).ino).not.toBe(before);
      expect(fs.readdirSync(dir)).toEqual(['a']);
    },
  );

  it('is never written into: who has it open reads the old content, and a link’s target stays', () => {
    const dir = dirOf();
    fs.writeFileSync(join(dir, 'target'), 'theirs');
    fs.symlinkSync('target', join(dir, 'a'));
    const open = fs.openSync(join(dir, 'a'), 'r');
    replaceWhole(join(dir, 'a'), 'new');
    expect(fs.readFileSync(open, 'utf8')).toBe('theirs');
    fs.closeSync(open);
    expect(fs.readFileSync(join(dir, 'target'), 'utf8')).toBe('theirs');
    expect(fs.lstatSync(join(dir, 'a')).isSymbolicLink()).toBe(false);
  });

  it('that cannot be: as it was, and nothing beside it', () => {
    const dir = dirOf();
    fs.mkdirSync(join(dir, 'a/b'), { recursive: true });
    expect(() => replaceWhole(join(dir, 'a'), 'x')).toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(fs.readdirSync(dir)).toEqual(['a']);
  });

  it('has the mode that is asked for, and what is done before it gets its name', () => {
    const dir = dirOf();
    const seen: string[] = [];
    const ready = (aside: string): void => void seen.push(aside, fs.readFileSync(aside, 'utf8'));
    replaceWhole(join(dir, 'a'), 'x', { mode: 0o500, aside: join(dir, '.a~'), ready });
    expect(seen).toEqual([join(dir, '.a~'), 'x']);
    expect(fs.statSync(join(dir, 'a')).mode & 0o777).toBe(0o500);
  });

  it('stays as it was where somebody objects at the last moment, or has the name beside it', () => {
    const dir = dirOf();
    fs.writeFileSync(join(dir, 'a'), 'before');
    const ready = (): never => {
      throw new Error('changed meanwhile');
    };
    expect(() => replaceWhole(join(dir, 'a'), 'x', { ready })).toThrow('changed meanwhile');
    expect(fs.readdirSync(dir)).toEqual(['a']);
    expect(fs.readFileSync(join(dir, 'a'), 'utf8')).toBe('before');
  });

  it('gets its directory, and those above it only if that is wanted', () => {
    const dir = dirOf();
    expect(() => replaceWhole(join(dir, 'n/a'), 'x')).toThrow(/ENOENT/);
    replaceWithin(join(dir, 'n'), 'a', 'x');
    expect(fs.statSync(join(dir, 'n')).mode & 0o777).toBe(0o700);
    expect(() => replaceWithin(join(dir, 'm/n'), 'a', 'x')).toThrow(/ENOENT/);
    expect(fs.readdirSync(dir)).toEqual(['n']);
    replaceWithin(join(dir, 'm/n'), 'a', 'x', true);
    expect(fs.readFileSync(join(dir, 'm/n/a'), 'utf8')).toBe('x');
  });
});
