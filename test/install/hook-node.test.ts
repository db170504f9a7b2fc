import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hookNode } from '../../src/install/hook-node.ts';
import { put, scratchDir } from './scratch.ts';

const base = scratchDir();
const root = join(base, 'repo');
const binary = put(join(base, 'opt/guard-1.0/guard'), '');
chmodSync(binary, 0o755);
const linked = (dir: string, to = binary): string => {
  mkdirSync(join(base, dir), { recursive: true });
  symlinkSync(to, join(base, dir, 'guard'));
  return join(base, dir);
};
const started = (dir: string, is_binary = true) => hookNode({ env: { PATH: dir }, root }, is_binary, binary);

describe('what hooks start', () => {
  it('is the name on PATH that leads to a standalone binary: an upgrade moves the link and removes the old file', () => {
    const bin = linked('bin');
    expect(started(bin)).toBe(join(bin, 'guard'));
  });

  it('is the binary itself where PATH has another guard, or none', () => {
    const other = put(join(base, 'opt/guard-2.0/guard'), '');
    chmodSync(other, 0o755);
    expect(started(linked('other', other))).toBe(binary);
    expect(started(join(base, 'nowhere'))).toBe(binary);
  });

  it('is no link in the repository, which an agent could lead elsewhere', () => {
    const inside = linked('repo/tools');
    const outside = linked('tools');
    expect(started(inside)).toBe(binary);
    symlinkSync(outside, join(root, 'link'));
    expect(started(join(root, 'link'))).toBe(binary);
    symlinkSync(inside, join(base, 'into'));
    expect(started(join(base, 'into'))).toBe(binary);
  });

  it('is the Node that runs, whatever "guard" leads to, where guard is no binary', () => {
    expect(started(linked('node'), false)).toBe(binary);
  });
});
