/** `guard init` decides whether guard creates the client's worktrees; the choice lasts, and uninstall reverts it. */
import { describe, expect, it } from 'vitest';
import { isWarmLine } from '../../../src/install/warm-line.ts';
import { guard, json, text } from '../../install/scratch.ts';
import { places, withClient } from './place.ts';

const { fresh } = places();
const EVENTS = ['WorktreeCreate', 'WorktreeRemove'];
const BEFORE = '{\n    "model": "opus",\n    "hooks": {\n        "WorktreeCreate": []\n    }\n}\n';

type Hooks = Record<string, { hooks: { command: string; timeout: number }[] }[]>;

const hooksIn = (file: string): Hooks => (json(file) as { hooks: Hooks }).hooks;
const worktreesIn = (file: string) => EVENTS.filter((event) => (hooksIn(file)[event] ?? []).length > 0);

describe('guard init --worktrees', { timeout: 120_000 }, () => {
  it('has guard make worktrees, keeps it so, and takes that back', () => {
    const place = fresh();
    const env = withClient(place.home, '2.1.330', place.env);
    const init = (...args: readonly string[]) => guard(place.repo, env, 'init', ...args).code;
    for (const [args, events] of [
      [[], []],
      [['--worktrees', '--warm'], EVENTS],
      [['--no-warm'], EVENTS],
      [['--no-worktrees'], []],
      [[], []],
    ] as const) {
      expect(init(...args)).toBe(0);
      expect(worktreesIn(place.file)).toEqual(events);
      const lines = EVENTS.flatMap((event) => hooksIn(place.file)[event] ?? []).flatMap(({ hooks }) => hooks);
      expect(lines.filter(({ command }) => isWarmLine(command))).toEqual([]);
    }
  });

  it('leaves settings byte for byte as they were when guard is uninstalled', () => {
    const place = fresh(BEFORE);
    const env = withClient(place.home, '2.1.330', place.env);
    expect(guard(place.repo, env, 'init', '--worktrees').code).toBe(0);
    expect(worktreesIn(place.file)).toEqual(EVENTS);
    expect(guard(place.repo, env, 'doctor', '--json').stdout).toContain('Hooked by');
    expect(guard(place.repo, env, 'uninstall').code).toBe(0);
    expect(text(place.file)).toBe(BEFORE);
  });

  it.each([null, '2.1.100'])('is refused with a client that may not know the event: %s', (version) => {
    const place = fresh(BEFORE);
    const env = version === null ? place.env : withClient(place.home, version, place.env);
    const told = guard(place.repo, env, 'init', '--worktrees');
    expect(told.code).toBe(64);
    expect(told.stderr).toContain('GUARD_ERR_USAGE');
    expect(text(place.file)).toBe(BEFORE);
  });
});
