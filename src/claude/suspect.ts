/** Nearly all writes are to files that cannot be guard's own: told apart without loading the rules about those. */
import fs from 'node:fs';
import type { Target } from '../repo/canonical.ts';
import { userConfigFile } from '../repo/user-dirs.ts';
import { whyProtected } from './protected.ts';
import type { Scene } from './scene.ts';

/** Every rule of protected.ts needs one of these in the path, except for the user's configuration behind a link. */
const PARTS =
  'guard settings .git .mcp.json .claude claude-code claudecode .codex .opencode .cursor _plugins.json known_marketplaces .config.json /worktrees/ /dist/ /bin/ /hooks/ /native/ /node_modules/ /package.json'.split(
    ' ',
  );

function isSuspect({ real, abs, repo }: Target, scene: Scene): boolean {
  const folded = `${real}\n${abs}`.replaceAll('\\', '/').toLowerCase();
  const git = scene.home.repo.common_dir ?? '.git';
  const parts = [...PARTS, ...[git, ...scene.place(repo).config.roles_dirs].map((dir) => dir.toLowerCase())];
  return parts.some((part) => folded.includes(part)) || fs.existsSync(userConfigFile(scene.env));
}

/** Why an agent may not write this file; null: an ordinary one. */
export function whyRefused(scene: Scene, file: Target): string | null {
  return isSuspect(file, scene) ? whyProtected(scene, file) : null;
}
