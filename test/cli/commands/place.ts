/** A fresh repository and home for each test of the installing commands. */
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { hookLines } from '../../../src/install/hook-lines.ts';
import type { JsonObject } from '../../../src/install/settings-text.ts';
import { gitRepo, guard, json, plainEnv, put, scratchDir, text } from '../../install/scratch.ts';

export interface Place {
  /** The path contains blanks and a quote. */
  readonly repo: string;
  readonly home: string;
  readonly env: Record<string, string>;
  /** The project's settings. */
  readonly file: string;
  readonly state: string;
  readonly run: (...args: string[]) => ReturnType<typeof guard>;
}

/** Makes fresh places below one scratch directory. */
export function places(): { readonly base: string; readonly fresh: (settings?: string) => Place } {
  const base = scratchDir();
  let nth = 0;
  const fresh = (settings?: string): Place => {
    nth += 1;
    const repo = gitRepo(join(base, `repo ${nth}`));
    const home = join(base, `home ${nth}`);
    mkdirSync(home);
    const file = join(repo, '.claude', 'settings.json');
    if (settings !== undefined) put(file, settings);
    const env = plainEnv(home);
    return {
      repo,
      home,
      file,
      env,
      state: join(repo, '.git', 'guard'),
      run: (...args) => guard(repo, env, ...args),
    };
  };
  return { base, fresh };
}

/** Puts a `claude` on PATH that reports this version. */
export function withClient(
  home: string,
  version: string,
  env: Record<string, string>,
): Record<string, string> {
  chmodSync(put(join(home, 'bin', 'claude'), `#!/bin/sh\necho "${version} (Claude Code)"\n`), 0o755);
  return { ...env, PATH: `${join(home, 'bin')}:${env['PATH'] ?? ''}` };
}

/** Content of every file in a directory, to check that nothing changed. */
export function everything(dir: string): Record<string, string> {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [join(parentPath, name), text(join(parentPath, name))]),
  );
}

export const commandsIn = (file: string): readonly string[] =>
  hookLines(json(file) as JsonObject).map(({ command }) => command);
