/** `guard status --watch` in a real terminal made by `script`; a terminal emulator reads its output. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import xterm from '@xterm/headless';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { READ_MS } from '../../src/cli/board/asking.ts';
import { GUARD, oneAgent, type Scratch } from '../claude/driver.ts';

const PATIENTLY = { timeout: 30_000, interval: 50 };
const [COLUMNS, ROWS] = [100, 30];

interface Screen {
  lines(): readonly string[];
  /** Waits until the screen contains the text. */
  shows(text: string | RegExp): Promise<void>;
  isAlternate(): boolean;
  type(keys: string): void;
  /** Signals guard itself, not the shell around it. */
  signal(name: NodeJS.Signals): void;
  /** As a window manager does. */
  resize(columns: number, rows: number): void;
  bytes(): number;
  told(): string;
  /** The kernel's process state: `T` is stopped. */
  state(): string | undefined;
  goOn(): void;
  readonly done: Promise<number | null>;
}

function watch(at: Scratch, env: Readonly<Record<string, string>> = {}, command = 'status'): Screen {
  const terminal = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  const line = `stty cols ${COLUMNS} rows ${ROWS}; echo "pid=$$ tty=$(tty)"; exec '${process.execPath}' '${GUARD}' ${command} --watch`;
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: at.root,
    env: { ...at.env, TERM: 'xterm-256color', ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
    terminal.write(chunk);
  });
  const pid = (): number => Number(/pid=(\d+)/.exec(text)?.[1]);
  const lines = (): readonly string[] =>
    Array.from(
      { length: terminal.rows },
      (_, y) =>
        terminal.buffer.active.getLine(terminal.buffer.active.viewportY + y)?.translateToString(true) ?? '',
    );
  return {
    lines,
    shows: (wanted) => vi.waitFor(() => expect(lines().join('\n')).toMatch(wanted), PATIENTLY),
    isAlternate: () => terminal.buffer.active.type === 'alternate',
    type: (keys) => void child.stdin.write(keys),
    signal: (name) => void process.kill(pid(), name),
    resize(columns, rows) {
      terminal.resize(columns, rows);
      const tty = /tty=(\S+)/.exec(text)?.[1] ?? '';
      spawnSync('stty', ['-F', tty, 'cols', String(columns), 'rows', String(rows)]);
    },
    bytes: () => text.length,
    told: () => text,
    state: () => /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid()}/status`, 'utf8'))?.[1],
    goOn() {
      child.kill('SIGCONT');
      process.kill(pid(), 'SIGCONT');
    },
    done: new Promise((resolve) => child.on('close', resolve)),
  };
}

describe.runIf(process.platform === 'linux' && existsSync('/usr/bin/script'))('guard status --watch', () => {
  it(
    'paints a screen of its own by difference, and gives the terminal back',
    { timeout: 90_000 },
    async () => {
      const { at, agent } = oneAgent();
      const screen = watch(at);
      await screen.shows('q quit');
      expect(screen.isAlternate()).toBe(true);
      agent.lock('src/a.txt');
      await screen.shows(/src\/a\.txt/);
      // Only the ages change.
      const before = screen.bytes();
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      expect(screen.bytes() - before).toBeLessThan(1_500);
      screen.resize(60, 12);
      await vi.waitFor(() => expect(screen.lines()[11]).toMatch(/^q quit/), PATIENTLY);
      expect(screen.lines()[0]).toMatch(/^\S+ +locks/);
      screen.resize(120, 40);
      await vi.waitFor(() => expect(screen.lines()[39]).toMatch(/^q quit/), PATIENTLY);
      expect(screen.lines().filter((line) => line.startsWith('q quit'))).toHaveLength(1);
      screen.type('q');
      expect(await screen.done).toBe(0);
      // The reader lags slightly behind.
      await vi.waitFor(() => expect(screen.isAlternate()).toBe(false), PATIENTLY);
    },
  );

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'gives the terminal back after %s',
    { timeout: 60_000 },
    async (name) => {
      const { at } = oneAgent();
      const screen = watch(at);
      await screen.shows('q quit');
      screen.signal(name);
      await screen.done;
      await vi.waitFor(() => expect(screen.isAlternate()).toBe(false), PATIENTLY);
    },
  );

  it('so do the other commands that watch', { timeout: 90_000 }, async () => {
    const { at, agent } = oneAgent();
    const screen = watch(at, {}, 'deadlock');
    await screen.shows('No agents wait for each other');
    expect(screen.isAlternate()).toBe(true);
    expect(screen.lines().at(-1)).toMatch(/^q quit/);
    agent.lock('a.txt');
    at.guard('lock', 'try', 'a.txt', '--agent', 'other');
    screen.resize(60, 12);
    await vi.waitFor(() => expect(screen.lines()[11]).toMatch(/^q quit/), PATIENTLY);
    screen.type('q');
    expect(await screen.done).toBe(0);
    await vi.waitFor(() => expect(screen.isAlternate()).toBe(false), PATIENTLY);
  });

  it('is suspended by SIGTSTP, and repainted when it continues', { timeout: 60_000 }, async () => {
    const { at } = oneAgent();
    const screen = watch(at);
    await screen.shows('q quit');
    screen.signal('SIGTSTP');
    await vi.waitFor(() => expect(screen.state()).toBe('T'), PATIENTLY);
    // `script` stops along with guard, as a shell would not, so wake both.
    await vi.waitFor(() => {
      screen.goOn();
      // eslint-disable-next-line no-control-regex -- given back, and taken again
      expect(screen.told()).toMatch(/\u001b\[\?1049l[^]*\u001b\[\?1049h/);
    }, PATIENTLY);
    await screen.shows('q quit');
    screen.type('q');
    expect(await screen.done).toBe(0);
  });

  it(
    'r asks the holder, r once more takes the file back, and the holder is told',
    { timeout: 90_000 },
    async () => {
      const { at, agent } = oneAgent();
      agent.lock('a.txt');
      const screen = watch(at);
      await screen.shows(/a\.txt/);
      screen.type('G');
      await screen.shows(/^> a\.txt/m);
      // A held key asks once, and takes nothing.
      screen.type('rrr');
      await screen.shows(/Asked\. Press r again to take back 1 file of /);
      expect(at.log('revoke')).toEqual([]);
      expect(at.log('message')).toHaveLength(1);
      await vi.waitFor(
        async () => {
          screen.type('r');
          await vi.waitFor(() => expect(screen.lines().join('\n')).toMatch(/Taken back: 1 file of /), 5_000);
        },
        { timeout: 60_000, interval: READ_MS + 200 },
      );
      expect(at.log('revoke')).toMatchObject([{ agent: agent.name, path: 'a.txt', cause: 'person' }]);
      screen.type('q');
      await screen.done;
      expect(JSON.stringify(agent.prompt('and now?'))).toMatch(/taken back by .*, a person/);
      // Who pressed the keys is no agent.
      expect(at.guard('status').stdout).toContain('1 agent ');
    },
  );

  it('takes nothing back for an agent', { timeout: 60_000 }, async () => {
    const { at, agent } = oneAgent();
    agent.lock('a.txt');
    const screen = watch(at, { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: agent.id });
    await screen.shows(/a\.txt/);
    screen.type('G');
    await screen.shows(/^> a\.txt/m);
    screen.type('r');
    await screen.shows('Only a person');
    screen.type('q');
    await screen.done;
    expect(at.log('revoke')).toEqual([]);
  });
});
