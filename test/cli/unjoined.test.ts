/** `guard status` shows clients that work here without having joined. Linux only. */
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { clientProcesses } from '../../src/repo/client-processes.ts';
import { oneAgent, scratch, type Scratch, Session, working } from '../claude/driver.ts';

/** A process named like the client. */
function client(at: Scratch, cwd: string, name = 'claude', args: readonly string[] = ['3600']) {
  const program = join(at.home, name);
  fs.mkdirSync(cwd, { recursive: true });
  if (!fs.existsSync(program)) fs.copyFileSync('/bin/sleep', program);
  const child: ChildProcess = spawn(program, args, { cwd, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  if (child.pid === undefined) throw new Error('no client');
  return { pid: child.pid, cwd };
}

interface Status {
  readonly unjoined: readonly { readonly pid: number; readonly cwd: string; readonly age_s: number }[] | null;
  readonly other_clients: readonly { readonly client: string; readonly pid: number }[];
}

const status = (at: Scratch): Status => at.guard('status', '--json').json() as Status;
const seen = (...roots: readonly string[]) => clientProcesses(roots)?.map(({ pid, cwd }) => ({ pid, cwd }));

describe.runIf(process.platform === 'linux')('clients that work in a directory', () => {
  it('are found in it and below it, and nowhere else', async () => {
    const at = scratch();
    const [root, below] = [client(at, at.root), client(at, at.path('packages/app'))];
    client(at, `${at.root}-other`);
    client(at, at.home);
    await vi.waitFor(() => expect(seen(at.root)).toEqual([root, below]));
  });

  it('are not other programs, nor what the client serves by', async () => {
    const at = scratch();
    client(at, at.root, 'sleeper');
    const real = client(at, at.root);
    at.put('mcp', 'setInterval(() => undefined, 1e6)');
    const server = join(at.home, 'x', 'claude');
    fs.mkdirSync(dirname(server));
    fs.copyFileSync(process.execPath, server);
    const child = spawn(server, ['mcp', 'serve'], { cwd: at.root, stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    await vi.waitFor(() => expect(seen(at.root)).toEqual([real]));
  });
});

describe.runIf(process.platform === 'linux')('guard status', () => {
  it(
    'shows a client that never joined, once it is not just starting, and none that did',
    { timeout: 60_000 },
    async () => {
      const { at } = oneAgent();
      const tree = join(at.root, '..', 'tree');
      at.git('-c', 'user.email=a@b', '-c', 'user.name=x', 'commit', '-q', '--allow-empty', '-m', 'x');
      at.git('worktree', 'add', '-q', tree);
      const [guarded, below, apart] = [
        client(at, at.root),
        client(at, at.path('packages/app')),
        client(at, tree),
      ];
      const codex = client(at, at.root, 'codex');
      working(at, { pid: guarded.pid });
      expect(status(at).unjoined).toEqual([]);
      const shown = await vi.waitFor(
        () => {
          const { unjoined, other_clients } = status(at);
          expect(unjoined).toHaveLength(2);
          expect(other_clients).toHaveLength(1);
          return unjoined ?? [];
        },
        { timeout: 40_000, interval: 500 },
      );
      expect(shown.map(({ pid, cwd }) => ({ pid, cwd }))).toEqual([below, apart]);
      const { stdout } = at.guard('status');
      expect(stdout).toContain(`pid ${below.pid}`);
      expect(stdout).toContain('guard init --scope user');
      expect(stdout).toMatch(new RegExp(`Codex without guard, pid ${codex.pid}\\b`));
      expect(status(at).other_clients).toMatchObject([{ client: 'codex', pid: codex.pid }]);
      expect(at.guard('init', '--host', 'codex').exit).toBe(0);
      expect(status(at).other_clients).toEqual([]);
      expect(stdout).not.toMatch(new RegExp(`pid ${String(guarded.pid)}\\b`));
      // It joins later.
      working(at, { pid: below.pid });
      expect(status(at).unjoined?.map(({ pid }) => pid)).toEqual([apart.pid]);
      // A session that does not report its process could be the other one.
      Object.assign(new Session(at, { pid: null }), { env: {} }).start();
      expect(status(at).unjoined).toBeNull();
      expect(at.guard('status').stdout).not.toContain('unguarded');
    },
  );

  it(
    'escapes what a directory is called, and does not show what a process calls itself',
    { timeout: 60_000 },
    async () => {
      const { at } = oneAgent();
      const program = join(at.home, 'claude');
      fs.copyFileSync('/bin/sleep', program);
      const cwd = at.path('x\u001b[2Jy');
      fs.mkdirSync(cwd);
      const child = spawn(program, ['3600'], { cwd, stdio: 'ignore', argv0: 'claude\u001b[31m' });
      onTestFinished(() => void child.kill('SIGKILL'));
      const shown = await vi.waitFor(
        () => {
          const { stdout } = at.guard('status');
          expect(stdout).toContain(`pid ${String(child.pid)}`);
          return stdout;
        },
        { timeout: 40_000, interval: 500 },
      );
      expect(shown).toContain('x\\x1b[2Jy');
      for (const trace of ['\u001b', '31m']) expect(shown).not.toContain(trace);
    },
  );
});
