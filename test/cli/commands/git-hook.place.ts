/** Repositories with guard's pre-commit hook; git itself makes the commits. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { guard, put, type Ran, run } from '../../install/scratch.ts';
import type { Place } from './place.ts';

export interface Hooked extends Place {
  readonly hook: string;
  readonly next: string;
  /** Runs git in the repository, as a person at a terminal. */
  readonly git: (...args: string[]) => Ran;
  /** Runs git as the named agent. */
  readonly as: (agent: string, ...args: string[]) => Ran;
  /** Runs guard as the named agent. */
  readonly guardAs: (agent: string, ...args: string[]) => Ran;
}

export function hooked(place: Place, ...options: string[]): Hooked {
  const { repo, env } = place;
  const gitIn =
    (more: Record<string, string>) =>
    (...args: string[]) =>
      run('git', args, { cwd: repo, env: { ...env, ...more } });
  const git = gitIn({});
  git('config', 'user.email', 'a@example.org');
  git('config', 'user.name', 'A');
  const inited = place.run('init', '--git-hooks', ...options);
  if (inited.code !== 0) throw new Error(inited.stderr);
  return {
    ...place,
    hook: join(repo, '.git', 'hooks', 'pre-commit'),
    next: join(repo, '.git', 'hooks', 'pre-commit.guard-next'),
    git,
    as: (agent, ...args) => gitIn({ GUARD_AGENT_ID: agent })(...args),
    guardAs: (agent, ...args) => guard(repo, { ...env, GUARD_AGENT_ID: agent }, ...args),
  };
}

export function script(file: string, body: string): string {
  chmodSync(put(file, `#!/bin/sh\n${body}\n`), 0o755);
  return file;
}

/** `a`, `b` and `c` are committed and changed; `other` holds `a`. */
export function sharedIn(fresh: Place): Hooked {
  const place = hooked(fresh);
  const { repo, git, guardAs } = place;
  for (const name of ['a', 'b', 'c']) put(join(repo, name), 'one\n');
  git('add', 'a', 'b', 'c');
  git('commit', '-qm', 'first');
  if (guardAs('other', 'lock', 'try', 'a').code !== 0) throw new Error('nothing was locked');
  for (const name of ['a', 'b', 'c']) put(join(repo, name), 'two\n');
  return place;
}
