/** Two roles to start with: one that plans and drafts, one that works. From then on they are the user's files. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadHarness } from '../config/harness.ts';
import type { Repo } from '../repo/locate.ts';
import type { Environment } from '../repo/user-dirs.ts';

const STARTERS = {
  lead: {
    category: 'conversational',
    prompt: [
      'You lead: you split a task into parts that do not depend on each other, draft an agent for each, and wait for them.',
      'Tell each agent everything that it needs: it knows nothing about you or the others.',
      'Read their answers. Draft again for what is missing, and report at the end what was done and what was not.',
    ],
    tools: ['Read', 'Grep', 'Glob'],
    limits: { turns: 200, wall: '8h', tree_cost_usd: 20 },
  },
  dev: {
    category: 'worker',
    prompt: [
      'You write code for this repository, in the style of its existing code.',
      'Lock the files that you change. Run the tests before you say that you are done.',
    ],
    tools: ['Read', 'Grep', 'Glob', 'Edit', 'Write'],
    limits: { turns: 100, wall: '1h', cost_usd: 5 },
  },
};

/** What was done, as text; existing roles are left alone. @param repo re-read: it may only just have been set up */
export function starterRoles(repo: Repo, env: Environment, dry_run: boolean): readonly string[] {
  const { roles_dir } = loadHarness({ repo, env });
  const missing = Object.entries(STARTERS)
    .map(([name, role]) => ({ name, role, path: join(roles_dir, `${name}.json`) }))
    .filter(({ path }) => !existsSync(join(repo.root, path)));
  for (const { name, role, path } of dry_run ? [] : missing) {
    const file = join(repo.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify({ name, ...role }, null, 2)}\n`, { flag: 'wx' });
  }
  const paths = missing.map(({ path }) => path).join(' and ');
  if (paths === '') return ['The roles lead and dev already exist.'];
  return [
    `${dry_run ? 'Would write' : 'Wrote'} ${paths}: edit them to say what your agents may use (docs/harness.md).`,
  ];
}
