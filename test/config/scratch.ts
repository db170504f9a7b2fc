/** An initialized repository next to a user's home, and the three places a configuration can come from. */
import { join } from 'node:path';
import { type Config, loadConfig } from '../../src/config/load.ts';
import { locateRepo } from '../../src/repo/locate.ts';
import type { Install } from '../../src/repo/state-dir.ts';
import { gitRepo, initialise, put, scratchDir } from '../repo/scratch.ts';

export interface Places {
  readonly user?: unknown;
  readonly repository?: unknown;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Scene {
  readonly root: string;
  readonly home: string;
  readonly user_file: string;
  readonly repo_file: string;
  /** Writes the files (text unchanged, anything else as JSON) and loads the configuration. */
  readonly load: (places: Places) => Config;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

export function scene(install: Partial<Install> = {}): Scene {
  const dir = scratchDir();
  const root = gitRepo(join(dir, 'repo'));
  initialise(root, install);
  const home = join(dir, 'home');
  const user_file = join(home, '.config/guard/config.json');
  const repo_file = join(root, 'guard.config.json');
  const load = ({ user = {}, repository = {}, env = {} }: Places): Config => {
    put(user_file, text(user));
    put(repo_file, text(repository));
    return loadConfig({ repo: locateRepo(root), env: { HOME: home, ...env } });
  };
  return { root, home, user_file, repo_file, load };
}
