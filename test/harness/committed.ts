/** A repository for agents whose files, including `files`, are committed, so that worktrees start with them. */
import { harness, type Harness } from './harness.ts';

interface Begin {
  readonly files?: Readonly<Record<string, string>>;
  readonly roles?: Readonly<Record<string, object>>;
}

/** Seven lines, so that two agents can change some that are far apart; and a few names that git ignores. */
export const LINES = {
  'a.txt': 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n',
  '.gitignore': '.env\nseen\ndeps\n',
};

export function committed({ files = {}, roles = {} }: Begin = {}): Harness {
  const at = harness({}, roles);
  at.at.git('config', 'user.name', 'x');
  at.at.git('config', 'user.email', 'x@example.com');
  for (const [name, text] of Object.entries(files)) at.at.put(name, text);
  at.at.git('add', '-A');
  at.at.git('commit', '-qm', 'Start');
  return at;
}
