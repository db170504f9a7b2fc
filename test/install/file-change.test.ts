import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  applyChange,
  BACKUP_SUFFIX,
  backUp,
  findFile,
  isChange,
  makeParents,
  refuseReadOnly,
  removeEmpty,
} from '../../src/install/file-change.ts';
import { put, scratchDir, text } from './scratch.ts';

const codeOf = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

describe('replacing a file', () => {
  const base = scratchDir();
  let nth = 0;
  let dir = '';
  beforeEach(() => {
    dir = join(base, String((nth += 1)));
    mkdirSync(dir);
  });
  const change = (path: string, after: string | null) => ({
    found: findFile(path),
    after: after === null ? null : Buffer.from(after),
  });

  it.each([0o600, 0o644, 0o664, 0o400 | 0o200])('keeps mode %o, whatever the umask', (mode) => {
    const file = put(join(dir, 'settings.json'), '{}');
    chmodSync(file, mode);
    const before = process.umask(0o077);
    applyChange(change(file, '{"a":1}'));
    process.umask(before);
    expect([text(file), statSync(file).mode & 0o777]).toEqual(['{"a":1}', mode]);
    expect(readdirSync(dir)).toEqual(['settings.json']);
  });

  it('changes the target of a symbolic link and keeps the link', () => {
    const target = put(join(dir, 'dotfiles', 'claude.json'), '{}');
    const link = join(dir, 'settings.json');
    symlinkSync('dotfiles/claude.json', link);
    applyChange(change(link, '{"a":1}'));
    expect([text(target), readlinkSync(link)]).toEqual(['{"a":1}', 'dotfiles/claude.json']);
  });

  it('makes the target of a link that leads nowhere yet', () => {
    mkdirSync(join(dir, 'dotfiles'));
    symlinkSync('dotfiles/claude.json', join(dir, 'settings.json'));
    applyChange(change(join(dir, 'settings.json'), '{}'));
    expect([
      text(join(dir, 'dotfiles', 'claude.json')),
      lstatSync(join(dir, 'settings.json')).isSymbolicLink(),
    ]).toEqual(['{}', true]);
  });

  it('is refused when somebody changed the file since it was read', () => {
    const file = put(join(dir, 'settings.json'), '{}');
    const planned = change(file, '{"a":1}');
    writeFileSync(file, '{"theirs":1}');
    expect(codeOf(() => applyChange(planned))).toBe('GUARD_ERR_SETTINGS');
    expect(text(file)).toBe('{"theirs":1}');
  });

  it('is refused when somebody made the file since it was missed', () => {
    const file = join(dir, 'settings.json');
    const planned = change(file, '{"a":1}');
    writeFileSync(file, '{"theirs":1}');
    expect(codeOf(() => applyChange(planned))).toBe('GUARD_ERR_SETTINGS');
  });

  it('is refused for a read-only file', () => {
    const file = put(join(dir, 'settings.json'), '{}');
    chmodSync(file, 0o444);
    expect(codeOf(() => refuseReadOnly(findFile(file)))).toBe('GUARD_ERR_SETTINGS');
  });

  it('is refused for what is not a file', () => {
    mkdirSync(join(dir, 'settings.json'));
    expect(codeOf(() => findFile(join(dir, 'settings.json')))).toBe('GUARD_ERR_SETTINGS');
  });

  it('says when nothing would change', () => {
    const file = put(join(dir, 'settings.json'), '{}');
    expect([
      isChange(change(file, '{}')),
      isChange(change(file, '{ }')),
      isChange(change(file, null)),
    ]).toEqual([false, true, true]);
    expect(isChange(change(join(dir, 'none'), null))).toBe(false);
  });
});

describe('the backup', () => {
  const dir = scratchDir();
  const file = put(join(dir, 'settings.json'), '{"key":"secret"}');
  chmodSync(file, 0o600);

  it('is made once, beside the file, as private as the file', () => {
    expect(backUp(findFile(file))).toBe(`${file}${BACKUP_SUFFIX}`);
    expect([text(`${file}${BACKUP_SUFFIX}`), statSync(`${file}${BACKUP_SUFFIX}`).mode & 0o777]).toEqual([
      '{"key":"secret"}',
      0o600,
    ]);
    writeFileSync(file, '{}');
    expect(backUp(findFile(file))).toBeNull();
    expect(text(`${file}${BACKUP_SUFFIX}`)).toBe('{"key":"secret"}');
  });

  it('is not made of a file that is not there', () => {
    expect(backUp(findFile(join(dir, 'none.json')))).toBeNull();
  });
});

describe('directories on the way', () => {
  it('are reported outermost first, and go when they are empty', () => {
    const dir = scratchDir();
    const made = makeParents(join(dir, 'a', 'b', 'c.json'));
    expect(made).toEqual([join(dir, 'a'), join(dir, 'a', 'b')]);
    expect(makeParents(join(dir, 'a', 'b', 'c.json'))).toEqual([]);
    put(join(dir, 'a', 'mine'), '');
    removeEmpty(made);
    expect([existsSync(join(dir, 'a', 'b')), existsSync(join(dir, 'a', 'mine'))]).toEqual([false, true]);
  });
});
