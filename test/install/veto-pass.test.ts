import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Now } from '../../src/core/types.ts';
import { findFile } from '../../src/install/file-change.ts';
import { grantVetoPass } from '../../src/install/grant-veto-pass.ts';
import { VETO_PASS_MS } from '../../src/core/policy/pass.ts';
import { readVetoPass, VETO_PASS_FILE } from '../../src/install/veto-pass.ts';
import { put, scratchDir } from './scratch.ts';

const at = (wall_ms: number): Now => ({ wall_ms, mono_ms: 0, boot: 'b' });

describe('the pass for the veto', () => {
  const dir = scratchDir();
  const file = put(join(dir, 'settings.json'), '{"hooks":{}}');
  const other = put(join(dir, 'settings.local.json'), '{}');
  grantVetoPass([dir], [{ found: findFile(file), after: Buffer.from('{}') }], 'guard uninstall', at(1000));
  const passes = (path: string, time: number) => readVetoPass(dir, path, at(time)) !== null;

  it('covers the file once it has the content that guard wrote, and no other content', () => {
    expect(passes(file, 2000)).toBe(false);
    writeFileSync(file, '{}');
    expect(passes(file, 2000)).toBe(true);
    writeFileSync(file, '{"disableAllHooks":true}');
    expect(passes(file, 2000)).toBe(false);
    writeFileSync(file, '{}');
  });

  it('covers no other file', () => {
    expect(passes(other, 2000)).toBe(false);
  });

  it('covers the file by every name', () => {
    symlinkSync(file, join(dir, 'link.json'));
    expect(passes(join(dir, 'link.json'), 2000)).toBe(true);
  });

  it('ends, and cannot be dated ahead', () => {
    expect([
      passes(file, 1000 + VETO_PASS_MS - 1),
      passes(file, 1000 + VETO_PASS_MS),
      passes(file, 500),
    ]).toEqual([true, false, false]);
  });

  it('covers the removal of a file', () => {
    grantVetoPass([dir], [{ found: findFile(other), after: null }], 'guard uninstall', at(1000));
    expect(passes(other, 2000)).toBe(false);
    rmSync(other);
    expect(passes(other, 2000)).toBe(true);
  });

  it.each([
    '',
    '{',
    'null',
    '{"until_wall_ms":9999999}',
    '{"until_wall_ms":"x","files":[]}',
    '{"until_wall_ms":50000,"files":[null]}',
  ])('that is damaged (%j) covers nothing', (content) => {
    put(join(dir, VETO_PASS_FILE), content);
    expect(passes(file, 2000)).toBe(false);
  });
});
