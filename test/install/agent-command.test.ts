import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentCommand } from '../../src/install/agent-command.ts';
import { permissionRules } from '../../src/install/permission-rules.ts';
import { put, scratchDir } from './scratch.ts';

const base = scratchDir();
const root = join(base, 'my guard');
chmodSync(put(join(root, 'bin', 'guard.cjs'), '#!/usr/bin/env node\n'), 0o755);
const node = put(join(base, 'node', 'node'), '');
chmodSync(node, 0o755);
const on = (...dirs: string[]) => agentCommand(root, node, { PATH: dirs.join(':') });
const linked = (dir: string) => {
  mkdirSync(join(base, dir), { recursive: true });
  symlinkSync(join(root, 'bin', 'guard.cjs'), join(base, dir, 'guard'));
  return join(base, dir);
};
const foreign = join(base, 'foreign');
chmodSync(put(join(foreign, 'guard'), '#!/bin/sh\n'), 0o755);
const PROGRAM = `'${join(root, 'bin', 'guard.cjs').replaceAll("'", `'\\''`)}'`;
const NODE = `'${node.replaceAll("'", `'\\''`)}'`;

describe('how agents call guard', () => {
  it('is "guard" where a shell finds this guard under that name', () => {
    expect(on('/nonexistent', linked('global'))).toBe('guard');
  });

  it('is "guard" where a link of somebody\'s own has the earlier name of the program', () => {
    const bin = join(base, 'linked-by-hand');
    const earlier = put(join(root, 'bin', 'guard.mjs'), '#!/usr/bin/env node\n');
    chmodSync(earlier, 0o755);
    mkdirSync(bin);
    symlinkSync(earlier, join(bin, 'guard'));
    expect(on(bin)).toBe('guard');
  });

  it('is the absolute path where another guard comes first on PATH', () => {
    expect(on(foreign, linked('later'))).toBe(`${NODE} ${PROGRAM}`);
  });

  it('is the absolute path where only npm knows it: npx and npm scripts', () => {
    expect(on(linked('project/node_modules/.bin'))).toBe(`${NODE} ${PROGRAM}`);
  });

  it('names node where that is the Node that runs now', () => {
    expect(on(join(base, 'node'))).toBe(`node ${PROGRAM}`);
  });

  it('is "guard" for a global install that is kept in the home, where every Node finds it', () => {
    const running = join(base, 'usr', 'lib', 'node_modules', 'guard');
    chmodSync(put(join(running, 'bin', 'guard.cjs'), ''), 0o755);
    const command = (bin: string) => {
      mkdirSync(join(base, bin), { recursive: true });
      symlinkSync(join(running, 'bin', 'guard.cjs'), join(base, bin, 'guard'));
      return agentCommand(root, node, { PATH: join(base, bin) }, running);
    };
    expect(command('usr/bin')).toBe('guard');
    // Each Node version has its own directory.
    expect(command('.nvm/versions/node/v22.1.0/bin')).toBe(`${NODE} ${PROGRAM}`);
    expect(command('mise/installs/node/24.0.1/bin')).toBe(`${NODE} ${PROGRAM}`);
  });

  it('does not look into relative directories of PATH', () => {
    expect(on('.', '', 'bin')).toBe(`${NODE} ${PROGRAM}`);
  });
});

describe('the permission rules', () => {
  it('name the command as it is typed, and nothing that weakens guard', () => {
    const rules = permissionRules('guard');
    const free = [
      ...[
        'lock',
        'status',
        'deadlock',
        'log',
        'reserve',
        'unreserve',
        'reservations',
        'conflicts',
        'message',
      ],
      ...['negotiate', 'agents', 'join', 'leave'],
    ].map((name) => `Bash(guard ${name}:*)`);
    // No wildcard, because only people may run `doctor --fix`.
    expect(rules).toEqual([...free, 'Bash(guard doctor)']);
  });
});
