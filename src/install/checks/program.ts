import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../core/attempt.ts';
import { ownStateDir } from '../../repo/clones.ts';
import { readInstall } from '../../repo/install.ts';
import { checking, fail, type Finding, ok, type Patient, warn } from '../check.ts';
import { guardRoot, guardVersion } from '../guard-root.ts';
import { programContent } from '../program/content.ts';
import { POINTER } from '../program/home.ts';
import { readPointer, versionDir, versionOf } from '../program/pointer.ts';
import { compareVersions } from '../program/version-order.ts';

/** Whether the program that hooks run here is complete, and, if guard keeps a copy of itself, unchanged since it was copied. */
export const program = checking('program', ({ repo }) => {
  const root = repo.initialised ? rootOf(repo) : null;
  if (root === null) return [];
  return existsSync(join(root, POINTER)) ? keptIn(root) : inPlace(root);
});

/** An unreadable state directory has its own check. */
const rootOf = (repo: Patient['repo']): string | null =>
  attempt(() => readInstall(ownStateDir(repo)).guard_root, null);

function inPlace(root: string): Finding {
  if (existsSync(join(root, 'dist', 'hook.cjs'))) return ok(`Hooks run ${root}`, { facts: { root } });
  return fail(`The guard that hooks run here is missing or incomplete: ${root}`, {
    facts: { root },
    hint: 'Run: guard init',
  });
}

function keptIn(home: string): Finding {
  const pointer = readPointer(home);
  if (pointer === null)
    return fail(`${join(home, POINTER)} names no version that exists`, {
      facts: { home },
      hint: 'Run: guard init',
    });
  const [version, mine] = [versionOf(pointer), guardVersion()];
  const facts = { home, version, running: guardRoot() };
  if (programContent(versionDir(home, pointer))?.name !== pointer.dir)
    return fail(`The guard in ${home} was changed after it was copied there`, {
      facts,
      hint: 'Find out who changed it, and run: guard init. Every hook runs this program.',
    });
  const message = `Hooks run guard ${version} from ${home}`;
  if (compareVersions(mine, version) < 0)
    return warn(`${message}; this one is ${mine}, which is older`, { facts, hint: 'Update this guard.' });
  return ok(message, { facts });
}
