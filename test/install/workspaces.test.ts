import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workspaceFiles } from '../../src/install/workspaces.ts';
import { put, scratchDir } from './scratch.ts';

const dir = scratchDir();
const files = (name: string, text: string): readonly string[] => {
  const root = join(dir, String(serial.next().value));
  put(join(root, name), text);
  return workspaceFiles(root);
};
const serial = (function* () {
  for (let n = 0; ; n++) yield n;
})();

describe('a repository has workspaces', () => {
  it.each([
    ['package.json', '{"workspaces":["packages/*"]}'],
    ['package.json', '{"workspaces":{"packages":["packages/*"],"nohoist":[]}}'],
    ['pnpm-workspace.yaml', 'packages:\n  - packages/*\n'],
    ['go.work', 'go 1.22\nuse ./a\n'],
    ['Cargo.toml', '[package]\nname = "x"\n\n[workspace]\nmembers = ["a"]\n'],
    ['Cargo.toml', '[workspace.package]\nversion = "1.0.0"\n'],
    ['lerna.json', '{}'],
    ['nx.json', '{}'],
    ['rush.json', '{}'],
  ])('by %s with %j', (name, text) => {
    expect(files(name, text)).toEqual([name]);
  });

  it.each([
    ['package.json', '{"name":"x"}'],
    ['package.json', '{"workspaces":[]}'],
    ['package.json', '{"workspaces":null}'],
    ['package.json', '{"workspaces":"packages/*"}'],
    ['package.json', 'null'],
    ['package.json', '{"workspaces":["x"'],
    ['package.json', `{"workspaces":["x"],"pad":"${'x'.repeat(1 << 20)}"}`],
    ['Cargo.toml', '[package]\nworkspace = ".."\n# [workspace]\n'],
    ['README.md', '[workspace]'],
  ])('not by %s with %.40j', (name, text) => {
    expect(files(name, text)).toEqual([]);
  });

  it('not by a directory or a pipe of that name', () => {
    const root = join(dir, 'odd');
    mkdirSync(join(root, 'go.work'), { recursive: true });
    execFileSync('mkfifo', [join(root, 'package.json')]);
    expect(workspaceFiles(root)).toEqual([]);
  });
});
