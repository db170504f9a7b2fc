import { appendFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Patient } from '../../../src/install/check.ts';
import { program } from '../../../src/install/checks/program.ts';
import { guardVersion } from '../../../src/install/guard-root.ts';
import { readPointer } from '../../../src/install/program/pointer.ts';
import { settleProgram } from '../../../src/install/program/settle.ts';
import { writeInstall } from '../../../src/repo/install.ts';
import { PACKAGE, scratchDir } from '../scratch.ts';
import { emptyHome, NOW_MS, program as made } from '../program/scratch.ts';

function lookAt(guard_root: string) {
  const state_dir = scratchDir('guard-state-');
  writeInstall(state_dir, {
    v: 1,
    enforcement_floor: 'required',
    ttl_ms: 1000,
    release_on: 'stop',
    case_fold: false,
    unicode_fold: false,
    guard_root,
    created_at: '2026-01-01T00:00:00Z',
  });
  return program.run({ repo: { initialised: true, state_dir } } as unknown as Patient, [])[0];
}

function homeWith(version: string): string {
  const home = emptyHome();
  settleProgram(made(version), home, NOW_MS);
  return home;
}

describe('the program that hooks run', () => {
  it('is looked at where it is, and in the home', () => {
    expect(lookAt(PACKAGE)).toMatchObject({ status: 'ok' });
    expect(lookAt(homeWith(guardVersion()))).toMatchObject({
      status: 'ok',
      facts: { version: guardVersion() },
    });
    expect(program.run({ repo: { initialised: false } } as unknown as Patient, [])).toEqual([]);
  });

  it('fails when it is gone, when no version is named, and when it is not what was copied', () => {
    expect(lookAt('/no/such/guard')).toMatchObject({ status: 'fail', hint: 'Run: guard init' });
    const home = homeWith('0.1.0');
    const dir = readPointer(home)?.dir ?? '';
    appendFileSync(join(home, 'versions', dir, 'dist/cli/cli.mjs'), '// and more');
    expect(lookAt(home)).toMatchObject({ status: 'fail', facts: { home } });
    rmSync(join(home, 'versions', dir), { recursive: true });
    expect(lookAt(home)).toMatchObject({ status: 'fail', hint: 'Run: guard init' });
    writeFileSync(join(home, 'current.json'), '{}');
    expect(lookAt(home)).toMatchObject({ status: 'fail', hint: 'Run: guard init' });
  });

  it('is whole in a home that keeps an earlier version, whose command has its earlier name', () => {
    const root = made('0.1.0');
    renameSync(join(root, 'bin/guard.cjs'), join(root, 'bin/guard.mjs'));
    const home = emptyHome();
    settleProgram(root, home, NOW_MS);
    expect(lookAt(home)).toMatchObject({ status: 'ok', facts: { version: '0.1.0' } });
  });

  it('is said to be newer than the guard that looks', () => {
    expect(lookAt(homeWith('99.0.0'))).toMatchObject({ status: 'warn', hint: 'Update this guard.' });
  });
});
