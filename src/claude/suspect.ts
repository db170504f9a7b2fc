/** Why an agent may not write a file: who may not is asked only of files that may be protected. */
import fs from 'node:fs';
import { mayBeProtected } from '../core/policy/may-be-protected.ts';
import type { Target } from '../repo/canonical.ts';
import { userConfigFile } from '../repo/user-dirs.ts';
import { whyProtectedHere } from './protected.ts';
import type { Scene } from './scene.ts';

function isSuspect({ real, abs, repo }: Target, scene: Scene): boolean {
  const dirs = [scene.home.repo.common_dir ?? '.git', ...scene.place(repo).config.roles_dirs];
  return mayBeProtected([real, abs], dirs) || fs.existsSync(userConfigFile(scene.env));
}

/** Null: an ordinary file. */
export function whyRefused(scene: Scene, file: Target): string | null {
  return isSuspect(file, scene) ? whyProtectedHere(scene, file) : null;
}
