/** When guard cannot decide: writes are denied with cause and next step; other events pass with a note on stderr. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readInstall } from '../../src/repo/install.ts';
import { markPlace } from '../../src/repo/known/marking.ts';
import { locateRepo } from '../../src/repo/locate.ts';
import { expectEnvelope, oneAgent, PACKAGE, runLater, type Scratch, sha256, working } from './driver.ts';
import type { Session } from './driver/session.ts';

const files = { 'a.txt': 'one\n' };

/** Every event that is not a write. */
const others = (agent: Session) => [
  agent.start(),
  agent.prompt(),
  agent.read('a.txt'),
  agent.pre(agent.call('Bash', { command: 'guard doctor' })),
  agent.pre(agent.call('Read', { file_path: agent.scratch.path('a.txt') })),
  agent.batch(),
  agent.stop(),
  agent.end(),
];

function expectDenied(agent: Session, code: string): void {
  const answer = agent.write('a.txt', 'x').pre;
  const denial = expectEnvelope(answer);
  expect(denial).toMatchObject({ error_type: 'GUARD_ERROR', details: { code } });
  expect(String(denial.details['cause']).length).toBeGreaterThan(10);
  expect(denial.details.next[0]).toMatch(/doctor$/);
}

function expectGoOn(agent: Session, complains: boolean): void {
  for (const { exit, stdout, stderr } of others(agent)) {
    expect(exit, stderr).toBe(0);
    expect(stdout).not.toContain('permissionDecision');
    if (stderr !== '') expect(stderr).toMatch(/^guard: GUARD_ERR_\w+: [^\n]+\n$/);
  }
  if (complains) expect(others(agent).some(({ stderr }) => stderr !== '')).toBe(true);
}

const ledgerOf = (at: Scratch): string =>
  `${at.state}/${fs.readdirSync(at.state).find((name) => name.startsWith('ledger-')) ?? 'none'}`;

describe('a broken guard denies writes and lets everything else go on', () => {
  it.each<[string, string, (at: Scratch) => void]>([
    ['the ledger is corrupt in its middle', 'GUARD_ERR_CORRUPT', corrupt],
    [
      'install.json is no JSON',
      'GUARD_ERR_STATE_DIR',
      (at) => fs.writeFileSync(`${at.state}/install.json`, '{'),
    ],
    ['install.json is missing', 'GUARD_ERR_STATE_DIR', (at) => fs.rmSync(`${at.state}/install.json`)],
    [
      'install.json is of a newer guard',
      'GUARD_ERR_VERSION',
      (at) => fs.writeFileSync(`${at.state}/install.json`, '{"v":99}'),
    ],
    ['guard.config.json is no JSON', 'GUARD_ERR_CONFIG', (at) => at.put('guard.config.json', '{"ttl": }')],
    [
      'guard.config.json has an unknown key',
      'GUARD_ERR_CONFIG',
      (at) => at.put('guard.config.json', '{"tll":1}'),
    ],
    ['a variable is wrong', 'GUARD_ERR_CONFIG', (at) => at.put(`${at.home}/.config/guard/config.json`, '[]')],
    ['the state directory is open to others', 'GUARD_ERR_STATE_DIR', (at) => fs.chmodSync(at.state, 0o777)],
    ['the state directory is a link', 'GUARD_ERR_STATE_DIR', linkAway],
    ['the lock file is a directory', 'GUARD_ERR_STATE_DIR', (at) => replaceByDirectory(`${at.state}/lock`)],
  ])('%s', (_, code, harm) => {
    const { at, agent } = oneAgent({ files });
    agent.lock('a.txt');
    harm(at);
    expectDenied(agent, code);
    expectGoOn(agent, true);
    expect(at.read('a.txt')).toBe('one\n');
  });

  it('a tool of an MCP server goes on where the configuration says that it is no writer, and not where it cannot say', () => {
    const { at, agent } = oneAgent({
      files,
      config: { mcp: { writers: [{ tool: 'mcp__fs__write', paths: ['p'] }] } },
    });
    corrupt(at);
    const look = () => agent.pre(agent.call('mcp__other__look', {}));
    expect([look().exit, look().stdout]).toEqual([0, '']);
    expect(agent.pre(agent.call('mcp__fs__write', { p: 'a.txt' })).exit).toBe(2);
    at.put('guard.config.json', '{');
    expect(agent.pre(agent.call('mcp__fs__write', { path: 'a.txt' })).exit).toBe(2);
    const write = agent.pre(agent.call('mcp__other__store', { file: 'a.txt' }));
    expect(expectEnvelope(write).error_type).toBe('GUARD_ERROR');
    expect(look().exit, 'it names no file').toBe(0);
  });

  it('a change of settings is vetoed all the same: what denies writes must not be unhooked', () => {
    const { at, agent } = oneAgent({ files });
    corrupt(at);
    at.put('guard.config.json', '{');
    at.put('.claude/settings.local.json', '{"disableAllHooks":true}');
    const event = { source: 'local_settings', file_path: at.path('.claude/settings.local.json') };
    expect(agent.fire('ConfigChange', event).exit).toBe(2);
  });

  it('a baseline that is damaged, or was changed by hand, counts as not seen, and a read mends it', () => {
    const { at, agent } = oneAgent({ files });
    agent.lock('a.txt');
    agent.read('a.txt');
    at.put('a.txt', 'theirs\n');
    const file = `${at.state}/seen/${agent.name}.log`;
    const forged = fs.readFileSync(file, 'utf8').replace(/[0-9a-f]{64}/, sha256(Buffer.from('theirs\n')));
    fs.writeFileSync(file, forged);
    expect(agent.write('a.txt', 'x').pre.denial?.error_type).toBe('UNREAD_FILE');
    agent.read('a.txt');
    expect(agent.write('a.txt', 'x').post?.exit).toBe(0);
  });
});

function corrupt(at: Scratch): void {
  const file = ledgerOf(at);
  const bytes = fs.readFileSync(file);
  bytes.write('#', Math.floor(bytes.length / 3));
  fs.writeFileSync(file, bytes);
  for (const name of fs.readdirSync(at.state).filter((entry) => entry.startsWith('index'))) {
    fs.rmSync(`${at.state}/${name}`, { recursive: true });
  }
}

function linkAway(at: Scratch): void {
  fs.renameSync(at.state, `${at.state}-moved`);
  fs.symlinkSync(`${at.state}-moved`, at.state);
}

function replaceByDirectory(path: string): void {
  fs.rmSync(path, { force: true });
  fs.mkdirSync(path);
}

/** Another process takes the ledger's lock through the product's store, and is then stopped. */
async function holdLock(at: Scratch): Promise<() => void> {
  const code = `
    import { openEmbedded } from '${PACKAGE}/test/store/plain.ts';
    import { readNow } from '${PACKAGE}/src/repo/clock.ts';
    import { consult } from '${PACKAGE}/src/store/transact.ts';
    const store = openEmbedded('${at.state}', { now: readNow });
    consult(store.store, () => {
      process.stdout.write('held');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
    }, { alone: true });`;
  const bundle = at.put(`${at.home}/hold.mjs`, await bundled(code));
  const holder = runLater({ args: [bundle], cwd: PACKAGE, env: at.env });
  for (let n = 0; n < 500 && !isLocked(at); n++) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(isLocked(at)).toBe(true);
  holder.signal('SIGSTOP');
  return () => holder.signal('SIGKILL');
}

async function bundled(code: string): Promise<string> {
  const { build } = await import('esbuild');
  const stdin = { contents: code, resolveDir: PACKAGE, loader: 'ts' as const };
  const banner = {
    js: `import { createRequire } from 'node:module'; const require = createRequire('${PACKAGE}/');`,
  };
  const options = { stdin, banner, bundle: true, write: false, format: 'esm', platform: 'node' } as const;
  const define = { 'import.meta.filename': JSON.stringify(`${PACKAGE}/dist/test.mjs`) };
  const { outputFiles } = await build({ ...options, define });
  return outputFiles[0]?.text ?? '';
}

function isLocked(at: Scratch): boolean {
  try {
    execFileSync('flock', ['-n', `${at.state}/lock`, 'true'], { stdio: 'ignore' });
    return false;
  } catch {
    return true;
  }
}

describe('a hook that cannot get the ledger (its holder was stopped)', () => {
  it(
    'denies a write by itself within the deadline, and lets the rest go on',
    { timeout: 120_000 },
    async () => {
      const { at, agent } = oneAgent({ files, config: { deadline: '1s' } });
      agent.lock('a.txt');
      const free = await holdLock(at);
      const answer = agent.write('a.txt', 'x').pre;
      expect(expectEnvelope(answer)).toMatchObject({
        error_type: 'GUARD_ERROR',
        details: { code: 'GUARD_ERR_BUSY' },
      });
      expect(answer.took_ms).toBeLessThan(3_000);
      // Reading needs no lock.
      expect(agent.read('a.txt')).toMatchObject({ exit: 0, stderr: '' });
      const prompt = agent.prompt();
      expect([prompt.exit, prompt.stderr]).toEqual([0, expect.stringContaining('GUARD_ERR_BUSY') as string]);
      // An end is kept until another hook can record it.
      expect(agent.stop()).toMatchObject({ exit: 0, stderr: '' });
      free();
      agent.stopped();
      const after = working(at);
      after.lock('a.txt');
      expect(after.write('a.txt', 'x').post?.exit).toBe(0);
    },
  );
});

describe.skipIf(!canMount())('a full disk', () => {
  it('denies the write that cannot be recorded, and reads go on', () => {
    const { at, agent } = oneAgent({ files });
    agent.lock('a.txt');
    const small = `${at.home}/small`;
    fs.mkdirSync(small);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k,mode=0700', 'tmpfs', small]);
    try {
      // Without the files that distinguish a copy from the original.
      const filter = (from: string): boolean => !/\/(home|index)$/.test(from);
      fs.cpSync(at.state, small, { recursive: true, filter });
      fs.renameSync(at.state, `${at.state}-kept`);
      fs.mkdirSync(at.state, { mode: 0o700 });
      execFileSync('mount', ['--move', small, at.state]);
      // The directory has been replaced, so a person must accept it.
      markPlace(locateRepo(at.root, at.env), at.env, readInstall(at.state));
      fill(`${at.state}/ballast`);
      const answer = agent.write('a.txt', 'x').pre;
      expect(expectEnvelope(answer).details['code']).toMatch(/GUARD_ERR_(FULL|IO)/);
      expect(agent.stop().exit).toBe(0);
      fs.rmSync(`${at.state}/ballast`);
      expect(agent.write('a.txt', 'x').post?.exit).toBe(0);
      expect(at.guard('verify').exit).toBe(0);
    } finally {
      unmount(at.state);
      unmount(small);
    }
  });
});

function canMount(): boolean {
  try {
    const dir = fs.mkdtempSync('/tmp/guard-mount-');
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', dir], { stdio: 'ignore' });
    execFileSync('umount', [dir]);
    fs.rmdirSync(dir);
    return true;
  } catch {
    return false;
  }
}

function unmount(dir: string): void {
  try {
    execFileSync('umount', [dir], { stdio: 'ignore' });
  } catch {
    // It was not mounted.
  }
}

function fill(file: string): void {
  const fd = fs.openSync(file, 'w');
  try {
    for (let size = 4_096; size >= 1; size /= 4) {
      try {
        for (;;) fs.writeSync(fd, Buffer.alloc(size));
      } catch {
        // No room for this size.
      }
    }
  } finally {
    fs.closeSync(fd);
  }
}
