import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { scratch, type Scratch } from '../../claude/driver.ts';
import { IN_STATE, isWarmLine } from '../../../src/install/warm-line.ts';
import { launcherFile } from '../../../src/install/warm-script.ts';

const lines = (at: Scratch, file = 'settings.json'): readonly boolean[] => {
  const { hooks } = JSON.parse(at.read(`.claude/${file}`)) as {
    hooks: Record<string, { hooks: { command: string }[] }[]>;
  };
  return [
    ...new Set(
      Object.values(hooks).flatMap((groups) =>
        groups.flatMap((group) => group.hooks.map(({ command }) => isWarmLine(command))),
      ),
    ),
  ];
};
const place = (at: Scratch): string => `${at.state}/${launcherFile(IN_STATE)}`;
const script = (at: Scratch): boolean => fs.existsSync(place(at));
const bare = (setup: Parameters<typeof scratch>[0] = {}) => scratch({ init: null, ...setup });

describe('guard init --warm', () => {
  it('writes hooks that ask a server, keeps them so, and takes that back', () => {
    const at = bare();
    for (const [args, is] of [
      [[], false],
      [['--warm'], true],
      [[], true],
      [['--no-warm'], false],
      [[], false],
    ] as const) {
      expect(at.guard('init', ...args).exit).toBe(0);
      expect([lines(at), script(at)]).toEqual([[is], is]);
    }
  });

  it('is what a configuration says, unless it is asked for otherwise', () => {
    const at = bare({ config: { warm: true } });
    at.guard('init');
    expect(lines(at)).toEqual([true]);
    at.guard('init', '--no-warm');
    expect(lines(at)).toEqual([false]);
  });

  it('holds in the other scopes', () => {
    const at = bare();
    at.guard('init', '--warm', '--scope', 'local');
    expect(lines(at, 'settings.local.json')).toEqual([true]);
  });

  it('leaves nothing behind when guard is uninstalled', () => {
    const at = bare();
    at.guard('init', '--warm');
    expect(at.guard('uninstall').exit).toBe(0);
    expect(fs.existsSync(at.path('.claude'))).toBe(false);
    expect(script(at)).toBe(false);
  });

  it('is seen only by guard doctor', () => {
    const at = bare();
    const check = () =>
      (
        at.guard('doctor', '--json').json() as { results: { id: string; status: string; facts: object }[] }
      ).results.filter(({ id }) => id === 'warm');
    at.guard('init');
    expect(check()).toEqual([]);
    at.guard('init', '--warm');
    expect(check()).toMatchObject([{ status: 'ok', facts: { servers: [] } }]);
    fs.rmSync(place(at));
    fs.writeFileSync(place(at), '', { mode: 0o644 });
    if (!place(at).endsWith('.pl'))
      expect(check()).toMatchObject([{ status: 'warn', facts: { not_executable: place(at) } }]);
    fs.rmSync(place(at));
    expect(check()).toMatchObject([{ status: 'warn', facts: { missing: place(at) } }]);
    at.guard('serve', '--stop');
  });
});
