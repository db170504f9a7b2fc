import { spawnSync } from 'node:child_process';
import { afterAll, describe, expect, test } from 'vitest';

import type { Effects } from '../../../src/shell/effects.ts';
import { MEASURED } from './measured-rows.ts';
import { changedBy, disk, effectsIn, makeScratch, removeScratch, short } from './scratch.ts';

const roots: string[] = [];
afterAll(() => roots.forEach(removeScratch));

const TOOLS = new Map<string, boolean>();
const isThere = (tool: string): boolean => {
  const known = TOOLS.get(tool) ?? spawnSync('bash', ['-c', `command -v ${tool}`]).status === 0;
  TOOLS.set(tool, known);
  return known;
};

/** Whether a path is a target, or inside a tree or scope that is one. */
function isSaid(name: string, effects: Effects, root: string): boolean {
  const named = effects.targets.some(({ path, is_tree }) =>
    covers(short(path, root), name, is_tree === true),
  );
  return (
    named ||
    effects.scopes.some(({ paths, is_glob }) =>
      paths.some((path) => isIn(short(path, root), name, is_glob === true)),
    )
  );
}

const covers = (path: string, name: string, is_tree: boolean): boolean =>
  path === name || (is_tree && (path === '.' || name.startsWith(`${path}/`)));

function isIn(path: string, name: string, is_glob: boolean): boolean {
  if (!is_glob) return covers(path, name, true);
  const form = path
    .replace(/[.+^$()|]/g, '\\$&')
    .replaceAll('**/', '(?:.*/)?')
    .replace(/(?<![.)])\*/g, '[^/]*');
  return new RegExp(`^${form}$`).test(name);
}

describe('what the tables say is what changes', () => {
  test('enough commands are measured', () => {
    expect(
      MEASURED.filter(({ needs }) => needs === undefined || isThere(needs)).length,
    ).toBeGreaterThanOrEqual(120);
  });

  test.each(MEASURED.map((it) => [it.line, it] as const))(
    '%s',
    { timeout: 120_000 },
    (line, { needs, may = [], opens }) => {
      if (needs !== undefined && !isThere(needs)) return;
      const root = makeScratch();
      roots.push(root);
      const effects = effectsIn(root, line);
      const changed = changedBy(root, line);
      // A directory created on the way to a file is not worth reporting.
      const silent = changed.filter(
        (name) => disk.kind(`${root}/${name}`) !== 'directory' && !isSaid(name, effects, root),
      );
      const idle = effects.targets
        .map(({ path, is_tree }) => ({ path: short(path, root), is_tree: is_tree === true }))
        .filter(({ path, is_tree }) => !changed.some((name) => covers(path, name, is_tree)))
        .map(({ path }) => path)
        .filter((path) => !may.includes(path));
      expect({ silent, idle, unresolved: effects.unresolved.length > 0 }).toEqual({
        silent: [],
        idle: [],
        unresolved: opens === true,
      });
    },
  );
});
