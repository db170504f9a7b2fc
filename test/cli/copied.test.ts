/** Copies and backups of a guarded repository, with the installed commands and hooks: `cp`, `rm`, `guard`. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GUARD, oneAgent, runNow, scratch, type Scratch } from '../claude/driver.ts';

const cp = (from: string, to: string): void => void execFileSync('cp', ['-a', from, to]);
const rm = (path: string): void => void execFileSync('rm', ['-rf', path]);

const lock = (at: Scratch, what: string, agent: string) =>
  at.guard('lock', what, 'f4', '--agent', agent, '--json');
const token = (at: Scratch, agent: string): number => {
  const { stdout } = lock(at, 'try', agent);
  return Number(/"token": ?(\d+)/.exec(stdout)?.[1]);
};

describe('a backup that is put back', () => {
  it('gives out no token twice, however often it comes back, and says what happened', () => {
    const at = scratch({ files: { f4: 'x\n' } });
    expect(token(at, 'w1')).toBeGreaterThan(0);
    lock(at, 'release', 'w1');
    cp(at.state, `${at.root}/../bk`);
    const tokens = [token(at, 'w2')];
    lock(at, 'release', 'w2');
    tokens.push(token(at, 'w3'));
    for (const agent of ['w4', 'w5']) {
      rm(at.state);
      cp(`${at.root}/../bk`, at.state);
      const refused = lock(at, 'try', agent);
      expect(refused.exit).toBe(2);
      expect(refused.json()).toMatchObject({ error: { code: 'GUARD_ERR_STATE_DIR' } });
      expect(at.guard('init').stderr).toContain('restored from a backup');
      expect(at.guard('init').stderr).not.toContain('restored from a backup');
      tokens.push(token(at, agent));
      expect(at.guard('verify').exit).toBe(0);
    }
    expect(tokens).toEqual([...new Set(tokens)].toSorted((a, b) => a - b));
    expect(tokens).toHaveLength(4);
    expect(at.log('ledger.copied').filter(({ after }) => after !== undefined)).toHaveLength(1);
  });

  it('denies writes until a person adopts it; then its locks are gone, and the history is there', () => {
    const { at, agent } = oneAgent({ files: { f4: 'x\n' } });
    agent.lock('f4');
    expect(agent.read('f4').exit).toBe(0);
    cp(at.state, `${at.root}/../bk`);
    const before = at.log().length;
    rm(at.state);
    cp(`${at.root}/../bk`, at.state);
    const edit = () => agent.edit('f4', 'x', 'y');
    expect(JSON.stringify(edit())).toContain('GUARD_ERR_STATE_DIR');
    expect(at.guardWith({ CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 's' }, 'init').exit).toBe(64);
    expect(JSON.stringify(edit())).toContain('GUARD_ERR_STATE_DIR');
    expect(at.guard('init').exit).toBe(0);
    expect(JSON.stringify(edit())).toContain('NOT_LOCKED');
    expect(at.log().length).toBeGreaterThan(before);
  });

  it('records a weaker guard init by a person, even though it was a copy until then', () => {
    const at = scratch({ files: { f4: 'x\n' } });
    at.guard('init', '--preset', 'strict');
    token(at, 'w1');
    cp(at.state, `${at.root}/../bk`);
    rm(at.state);
    cp(`${at.root}/../bk`, at.state);
    const { stderr } = at.guard('init', '--preset', 'auto');
    expect(stderr).toContain('restored from a backup');
    expect(stderr).not.toContain('not in the ledger');
    expect(at.log('bypass')).toMatchObject([{ what: 'init' }]);
  });

  it('is named by verify and doctor, with the command that repairs it', () => {
    const at = scratch({ files: { f4: 'x\n' } });
    token(at, 'w1');
    cp(at.state, `${at.root}/../bk`);
    rm(at.state);
    cp(`${at.root}/../bk`, at.state);
    const verified = at.guard('verify', '--json');
    expect(verified.json()).toMatchObject({ error: { code: 'GUARD_ERR_STATE_DIR' } });
    expect(at.guard('doctor').stdout + at.guard('doctor').stderr).toContain('guard init');
  });
});

describe('a repository that is copied with live locks', () => {
  it('inherits none of them, and the original keeps its own', () => {
    const at = scratch({ files: { f4: 'x\n' } });
    const held = token(at, 'w1');
    const copy = `${at.root}-copy`;
    execFileSync('cp', ['-r', at.root, copy]);
    const inCopy = (...args: string[]) => runNow({ args: [GUARD, ...args], cwd: copy, env: at.env });
    expect(inCopy('lock', 'try', 'f4', '--agent', 'w2').stderr).toContain('GUARD_ERR_STATE_DIR');
    expect(inCopy('init').exit).toBe(0);
    const got = inCopy('lock', 'try', 'f4', '--agent', 'w2', '--json');
    expect(got.exit).toBe(0);
    expect(Number(/"token": ?(\d+)/.exec(got.stdout)?.[1])).toBeGreaterThan(held);
    expect(lock(at, 'try', 'w2').exit).toBe(1);
    rm(copy);
  });
});

describe('not a copy', () => {
  it('a repository that is moved, packed by git and repaired keeps its locks', () => {
    const at = scratch({ files: { f4: 'x\n' } });
    const held = token(at, 'w1');
    at.git('gc', '-q');
    expect(at.guard('doctor', '--fix').stderr).not.toContain('GUARD_ERR_COPIED');
    at.guard('compact', '--all');
    const moved = `${at.root}-moved`;
    renameSync(at.root, moved);
    const there = (...args: string[]) => runNow({ args: [GUARD, ...args], cwd: moved, env: at.env });
    rm(join(moved, '.git/guard/index'));
    expect(there('lock', 'try', 'f4', '--agent', 'w2').exit).toBe(1);
    expect(there('lock', 'status', '--json').stdout).toContain(String(held));
    renameSync(moved, at.root);
  });

  it('an appended foreign line is cut off, kept and reported, and everything continues', () => {
    const at = scratch({ files: { f4: 'x\n' } });
    const held = token(at, 'w1');
    const last =
      readdirSync(at.state)
        .filter((name) => name.startsWith('ledger-'))
        .at(-1) ?? '';
    appendFileSync(join(at.state, last), 'hello\n');
    expect(at.guard('verify').exit).toBe(0);
    expect(lock(at, 'release', 'w1').exit).toBe(0);
    expect(token(at, 'w2')).toBeGreaterThan(held);
    expect(at.log('ledger.cut')).toMatchObject([{ cause: 'foreign', bytes: 6 }]);
    expect(at.guard('verify').exit).toBe(0);
  });
});
