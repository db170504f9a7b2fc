import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Matter } from '../../../src/cli/watch/attention.ts';
import { openNotifier } from '../../../src/cli/watch/notifier.ts';

const DEADLOCK: Matter = { kind: 'deadlock', text: 'deadlock  a > b > a', detail: ['a waits', 'b waits'] };
const WAIT: Matter = { kind: 'wait', text: 'waits  -e <b>x</b> & $(touch y) \'"', detail: ['c waits'] };
const PATIENTLY = { timeout: 20_000, interval: 20 };

describe('a notification', () => {
  let dir = '';
  let failures: string[] = [];
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'guard-notified-'));
    failures = [];
    mkdirSync(join(dir, 'bin'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));
  const failed = (text: string): void => void failures.push(text);
  /** A program that records its arguments and environment; a rename makes each file appear complete. */
  const program = (name: string): string => {
    const file = join(dir, 'bin', name);
    writeFileSync(
      file,
      `#!/bin/sh\n{ for word in "$@"; do printf '%s\\037' "$word"; done; } > "${dir}/args.new"\nmv "${dir}/args.new" "${dir}/args"\nenv -0 > "${dir}/env.new"\nmv "${dir}/env.new" "${dir}/env"\n`,
    );
    chmodSync(file, 0o755);
    return file;
  };
  const read = async (name: string): Promise<string> => {
    await expect.poll(() => existsSync(join(dir, name)), PATIENTLY).toBe(true);
    return readFileSync(join(dir, name), 'utf8');
  };
  const env = (): Record<string, string> => ({ PATH: `${join(dir, 'bin')}:/usr/bin:/bin` });

  it.each([
    [
      'linux',
      'notify-send',
      ['--app-name=guard', '--'],
      'waits  -e &lt;b&gt;x&lt;/b&gt; &amp; $(touch y) \'"',
    ],
    ['darwin', 'osascript', ['-e', 'on run argv', '-e', expect.any(String), '-e', 'end run'], WAIT.text],
  ] as const)(
    'of the desktop on %s is an argument of %s, whatever is in it',
    async (platform, name, before, text) => {
      program(name);
      openNotifier({ root: dir, env: env(), program: [], platform, failed })([WAIT]);
      const args = (await read('args')).split('\x1f').slice(0, -1);
      expect(args.slice(0, before.length)).toEqual(before);
      expect(args.slice(before.length)).toEqual([`guard: ${dir.split('/').at(-1) ?? ''}`, text]);
      expect(failures).toEqual([]);
      // The last thing that the program writes: until then the directory cannot be removed.
      await read('env');
    },
  );

  it('is one call of the program that the user named, however many matters there are', async () => {
    const call = [program('mine'), 'first', 'second word'];
    openNotifier({ root: dir, env: env(), program: call, failed })([DEADLOCK, WAIT]);
    const given = new Map((await read('env')).split('\0').map((line) => [line.split('=')[0], line]));
    expect(await read('args')).toBe('first\x1fsecond word\x1f');
    expect(given.get('GUARD_ATTENTION_KIND')).toBe('GUARD_ATTENTION_KIND=deadlock');
    expect(given.get('GUARD_ATTENTION_TEXT')).toBe(`GUARD_ATTENTION_TEXT=${DEADLOCK.text}\n${WAIT.text}`);
    expect(given.get('GUARD_ATTENTION_DETAIL')).toBe('GUARD_ATTENTION_DETAIL=a waits\nb waits\nc waits');
    expect(given.get('GUARD_ATTENTION_REPOSITORY')).toBe(`GUARD_ATTENTION_REPOSITORY=${dir}`);
  });

  it('of very many files is cut, and is a notification all the same', async () => {
    const detail = Array.from({ length: 50_000 }, (_, nth) => `src/file-${nth}.ts`);
    openNotifier({ root: dir, env: env(), program: [program('mine')], failed })([{ ...DEADLOCK, detail }]);
    const [given = ''] = (await read('env'))
      .split('\0')
      .filter((line) => line.startsWith('GUARD_ATTENTION_DETAIL='));
    expect(given).toMatch(/^GUARD_ATTENTION_DETAIL=src\/file-0\.ts\n/);
    expect(given.length).toBeLessThan(20_000);
    expect(failures).toEqual([]);
  });

  it('that cannot be shown is said once, and ends nothing', async () => {
    const notify = openNotifier({ root: dir, env: { PATH: dir }, program: ['is-not-there'], failed });
    notify([DEADLOCK]);
    notify([WAIT]);
    await expect.poll(() => failures.length, PATIENTLY).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(failures).toEqual([expect.stringContaining('is-not-there')]);
  });

  it('is refused at once on a system whose notifications guard does not know', () => {
    const open = (words: readonly string[]) => () =>
      openNotifier({ root: dir, env: {}, program: words, platform: 'aix', failed });
    expect(open([])).toThrow(expect.objectContaining({ code: 'GUARD_ERR_CONFIG' }) as Error);
    expect(open(['mine'])).not.toThrow();
  });
});
