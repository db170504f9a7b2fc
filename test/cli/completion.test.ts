/** Completion scripts in their own shells; zsh, fish and PowerShell only where installed. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { GUARD, scratch } from '../claude/driver.ts';

const dir = mkdtempSync(join(tmpdir(), 'guard-completion-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

const scriptFor = (shell: string): string => {
  const file = join(dir, shell === 'pwsh' ? 'guard.ps1' : `guard.${shell}`);
  const name = shell === 'pwsh' ? 'powershell' : shell;
  writeFileSync(file, execFileSync(process.execPath, [GUARD, 'completion', name]));
  return file;
};

type Complete = (...words: readonly string[]) => string[];
const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** The cursor is at the last word. */
const inBash =
  (file: string): Complete =>
  (...words) => {
    const ask = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _guard; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return lines(
      execFileSync('bash', ['--norc', '-c', ask, 'bash', file, ...words], { encoding: 'utf8', cwd: dir }),
    );
  };

/** Replaces the functions of zsh's completion system by ones that print their arguments. */
const inZsh =
  (file: string): Complete =>
  (...words) => {
    const ask = `compdef() {}; _files() { print -- FILES }
      _describe() { [[ $1 == -o ]] && shift; local one; for one in "\${(@P)2}"; do one=\${one%%:*}; [[ $one == $PREFIX* ]] && print -- $one; done }
      compadd() { shift; print -l -- "$@" }
      source "$1"; shift; words=("$@"); CURRENT=$#; PREFIX=\${words[-1]}; _guard || true`;
    return lines(
      execFileSync('zsh', ['-f', '-c', ask, 'zsh', file, ...words], { encoding: 'utf8', cwd: dir }),
    );
  };

const inFish =
  (file: string): Complete =>
  (...words) => {
    const ask = 'source $argv[1]; complete -C "$argv[2]"';
    const told = execFileSync('fish', ['--no-config', '-c', ask, file, words.join(' ')], {
      encoding: 'utf8',
      cwd: dir,
      env: { ...process.env, HOME: dir, XDG_CONFIG_HOME: dir, XDG_DATA_HOME: dir },
    });
    return lines(told).map((line) => line.split('\t')[0] ?? '');
  };

const inPowerShell =
  (file: string): Complete =>
  (...words) => {
    const line = words.join(' ').replaceAll("'", "''");
    const ask = `. '${file}'; (TabExpansion2 -inputScript '${line}' -cursorColumn ${line.length}).CompletionMatches.CompletionText`;
    return lines(
      execFileSync('pwsh', ['-NoProfile', '-NonInteractive', '-Command', ask], {
        encoding: 'utf8',
        cwd: dir,
      }),
    );
  };

describe.each([
  { shell: 'bash', of: inBash },
  { shell: 'zsh', of: inZsh },
  { shell: 'fish', of: inFish },
  { shell: 'pwsh', of: inPowerShell },
])('guard completion $shell', ({ shell, of }) => {
  const situation = it.skipIf(!has(shell));

  situation('completes every command', () => {
    const complete = of(scriptFor(shell));
    expect(complete('guard', '')).toEqual(
      expect.arrayContaining([
        ...COMMANDS.filter(({ hidden }) => hidden !== true).map(({ name }) => name),
        'hook',
      ]),
    );
    expect(complete('guard', 'doc')).toEqual(['doctor']);
  });

  situation('completes sub-commands, wherever options stand', () => {
    const complete = of(scriptFor(shell));
    expect(complete('guard', 'lock', '').sort()).toEqual(
      expect.arrayContaining(['release', 'status', 'try', 'wait']),
    );
    expect(complete('guard', '--no-color', 'lock', 'tr')).toEqual(['try']);
    expect(complete('guard', 'lock', 'lock', 'tr')).toEqual(['try']);
  });

  situation('completes the options of just this command, and their fixed values', () => {
    const complete = of(scriptFor(shell));
    expect(complete('guard', 'lock', 'wait', '--t').sort()).toEqual(['--timeout', '--ttl']);
    expect(complete('guard', 'lock', 'try', '--timeo')).toEqual([]);
    expect(complete('guard', 'init', '--scope', '').sort()).toEqual(['local', 'project', 'user']);
  });
});

it('the values behind a "=" are completed in bash too, which breaks words there', () => {
  const complete = inBash(scriptFor('bash'));
  expect(complete('guard', 'init', '--scope', '=', 'pro')).toEqual(['project']);
  expect(complete('guard', 'init', '--scope', '=').sort()).toEqual(['local', 'project', 'user']);
});

it('a file is left to the shell', () => {
  expect(inBash(scriptFor('bash'))('guard', 'lock', 'try', 'a')).toEqual([]);
  expect(
    execFileSync('bash', [
      '--norc',
      '-c',
      `source "$1"; complete -p guard`,
      'bash',
      scriptFor('bash'),
    ]).toString(),
  ).toContain('-o default');
});

it('no other shell is known, and no repository is needed', () => {
  expect(scratch().guard('completion', 'tcsh').exit).toBe(64);
  expect(scratch({ init: null }).guard('completion', 'bash').exit).toBe(0);
});
