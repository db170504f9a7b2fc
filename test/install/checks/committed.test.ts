import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Patient } from '../../../src/install/check.ts';
import { committed } from '../../../src/install/checks/committed.ts';
import { LAUNCHER, PROJECT_HOOK_COMMAND } from '../../../src/install/command.ts';
import { emptyHome } from '../program/scratch.ts';
import { PACKAGE, put, scratchDir } from '../scratch.ts';

function lookAt(root: string) {
  const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: PROJECT_HOOK_COMMAND }] }] };
  const settings = [{ scope: 'project', path: join(root, '.claude/settings.json'), value: { hooks } }];
  // A guard started by npx records its home as its place, which contains no launcher.
  const patient = { repo: { root }, settings, guard_root: emptyHome() };
  return committed.run(patient as unknown as Patient, []);
}

it('a launcher is compared with that of the running guard, where another place is on record', () => {
  const root = scratchDir('guard-launcher-');
  cpSync(join(PACKAGE, 'hooks/guard-hook.cjs'), join(root, LAUNCHER), { recursive: true });
  expect(lookAt(root)).toMatchObject([{ status: 'ok' }]);
  put(join(root, LAUNCHER), '// another');
  expect(lookAt(root)).toMatchObject([{ status: 'fail', facts: { old: false } }]);
});
