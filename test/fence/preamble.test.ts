/** The line in the environment file must never break a Bash call. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { preambleOf } from '../../src/fence/preamble.ts';
import { canFence, FENCE, hasProgram } from './machine.ts';

const SHELLS = ['/bin/bash', '/usr/bin/zsh'].filter((shell) => hasProgram(shell));

/** A fence directory with one held file, and the line for a session, both with names that are hard to quote. */
function site(name = 'plain', held = true) {
  const base = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'guard-fence-')));
  onTestFinished(() => fs.rmSync(base, { recursive: true, force: true }));
  const dir = join(base, name);
  fs.mkdirSync(join(dir, 'run'), { recursive: true });
  fs.cpSync(FENCE, join(dir, 'program'), { recursive: true });
  fs.writeFileSync(join(dir, 'a.txt'), 'one\n');
  const escaped = join(dir, 'a.txt').replace(/[\\]/g, '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  const text = held ? `# claude-o\n# due 0 -\nclaude-o\tF\t${escaped}\t\n` : '#\n# due 0 -\n';
  fs.writeFileSync(join(dir, 'held'), text);
  const helper = { kind: 'perl', program: '/usr/bin/perl', file: join(dir, 'program/fence.pl') } as const;
  const line = preambleOf({ home: join(dir, 'program'), dir, main: 'claude-me', helper, mode: 'open' }) ?? '';
  return { dir, line: line.trim() };
}

const run = (shell: string, line: string, command: string, before = '', env: object = {}) => {
  const text = `${before}source /dev/null 2>/dev/null || true && ${line} && eval '${command}' < /dev/null`;
  const done = spawnSync(shell, ['-c', text], {
    timeout: 20_000,
    // A socket there makes bash read its start-up files.
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: '/usr/bin:/bin', GUARD_MARK: 'old', ...env },
  });
  return { exit: done.status, out: done.stdout.toString(), err: done.stderr.toString() };
};

describe.each(SHELLS)('in %s', (shell) => {
  const fine = { exit: 3, out: 'ran\n', err: '' };
  const COMMAND = 'echo ran; exit 3';

  it.each(['plain', "with 'quotes' \" and blanks", 'new\nline', '$(touch x) `y` $HOME', '-n', 'ü\\n\\\\'])(
    'a directory called %j is no trouble',
    (name) => {
      const { dir, line } = site(name);
      expect(run(shell, line, COMMAND)).toEqual(fine);
      if (!canFence()) return;
      expect(
        run(
          shell,
          `DIR='${dir.replaceAll("'", "'\\''")}' ${line.replace('GUARD', '; GUARD')}`,
          'echo x > "$DIR/a.txt"',
        ).exit,
      ).not.toBe(0);
      expect(fs.readFileSync(join(dir, 'a.txt'), 'utf8')).toBe('one\n');
    },
  );

  it('under set -eu, and with nothing held, the command runs, with its own options alone', () => {
    for (const held of [true, false]) {
      const { line } = site('x', held);
      expect(run(shell, line, COMMAND, 'set -eu; ')).toEqual(fine);
      expect(run(shell, line, 'set -o | grep -E "^(errexit|nounset)" | grep -c on').out).toBe('0\n');
      expect(run(shell, line, 'set | grep -c ^_g_').out).toBe('0\n');
    }
  });

  it.each(['held', 'program/pre.sh', 'program/fence.pl', 'program/mounts.pl', 'program', 'run', '.'])(
    'without %s the command runs',
    (gone) => {
      const { dir, line } = site();
      fs.rmSync(join(dir, gone), { recursive: true, force: true });
      expect(run(shell, line, COMMAND)).toEqual(fine);
    },
  );

  it.each(['', '#', 'nonsense', '# claude-o', '\0\0', '# claude-o\n# due 0 -\nclaude-o\tF'])(
    'with %j for what is held the command runs',
    (text) => {
      const { dir, line } = site();
      fs.writeFileSync(join(dir, 'held'), text);
      expect(run(shell, line, COMMAND)).toMatchObject({ exit: 3, out: 'ran\n' });
    },
  );

  it('a helper that dies immediately, and one that is not a program', () => {
    const { dir, line } = site();
    fs.writeFileSync(
      join(dir, 'program/mounts.pl'),
      'sub enter_namespace { return "it broke" } sub drop_mount_rights {} 1;',
    );
    expect(run(shell, line, 'echo $GUARD_FENCE_ERROR')).toEqual({ exit: 0, out: 'it broke\n', err: '' });
    const closed = line.replace("MODE='open'", "MODE='closed'");
    expect(run(shell, closed, COMMAND)).toMatchObject({ exit: 126, out: '' });
  });

  it.each([
    ['PERL5OPT', '-MNowhere'],
    ['PERL_UNICODE', 'SDAL'],
    ['PERL5LIB', '.'],
    ['PERLIO', ':utf8'],
    // A locale that is not installed.
    ['LANG', 'xx_XX'],
  ])("a project's own %s reaches the command, and not the helper", (name, value) => {
    const { line, dir } = site();
    const lib = join(dir, 'lib');
    fs.mkdirSync(lib);
    fs.writeFileSync(join(lib, 'strict.pm'), 'exit 9;');
    const given = name === 'PERL5LIB' ? lib : value;
    const ran = run(
      shell,
      line,
      `echo "$${name}" $'\\xe4' "\${PERL_BADLANG-unset}"; exit 3`.replaceAll("'", `'"'"'`),
      '',
      {
        [name]: given,
      },
    );
    const out = expect.stringMatching(new RegExp(`^${given} .* unset\\n$`)) as string;
    expect(ran).toEqual({ exit: 3, out, err: '' });
  });

  it('passes the mark down, and only one that the line contains', () => {
    const { line } = site('x', false);
    const marked = 'echo "[$GUARD_MARK]"\n# guard:abc 0123abcd';
    expect(run(shell, line, marked).out).toBe('[abc 0123abcd]\n');
    expect(run(shell, line, 'echo "[$GUARD_MARK]"').out).toBe('[]\n');
  });

  it('runs no program if no one else holds anything', () => {
    const { line, dir } = site('x', false);
    fs.writeFileSync(join(dir, 'program/fence.pl'), 'die');
    expect(run(shell, line, COMMAND)).toEqual(fine);
    fs.writeFileSync(join(dir, 'held'), '# claude-me\n# due 0 -\n');
    expect(run(shell, line, COMMAND)).toEqual(fine);
  });
});
