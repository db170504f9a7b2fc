import { loadHarness } from '../../config/harness.ts';
import { readConfigFile } from '../../config/file.ts';
import { REPO_CONFIG } from '../../config/load.ts';
import { join } from 'node:path';
import { unlessRefused } from '../../core/attempt.ts';
import { checking, type Finding, ok, refused, warn } from '../check.ts';

/** A repository can only remove categories. Those it adds have no effect, and only this check says so. */
export const roles = checking('roles', ({ repo, env }) =>
  unlessRefused<Finding>(() => {
    const file = join(repo.root, REPO_CONFIG);
    const wanted = repo.initialised ? (readConfigFile(file, 'repository')?.harness.full_access ?? []) : [];
    const { full_access } = loadHarness({ repo, env });
    const vain = wanted.filter((category) => !full_access.includes(category));
    const facts = { full_access, without_effect: vain };
    if (vain.length === 0) return ok('Categories that may draft agents are as configured', { facts });
    return warn(`${file}: "mcp.fullAccessCategories": ${vain.join(', ')} has no effect`, {
      facts,
      hint: 'A repository cannot let its agents draft others. Name the category in your user configuration, if you want it.',
    });
  }, refused),
);
