/** Other coding clients that are configured in a checkout but run no guard hook there. */
import fs from 'node:fs';
import { join } from 'node:path';
import { namesIn } from '../repo/names-in.ts';
import { textOf } from '../repo/small-file.ts';

/** What a client keeps in a checkout, and where its hooks would be: files, or directories of files. */
interface Client {
  readonly name: string;
  readonly marks: readonly string[];
  readonly hooks: readonly string[];
}

const CLIENTS: readonly Client[] = [
  { name: 'Codex', marks: ['.codex'], hooks: ['.codex/hooks.json', '.codex/config.toml'] },
  { name: 'Gemini CLI', marks: ['.gemini'], hooks: ['.gemini/settings.json'] },
  { name: 'Qwen Code', marks: ['.qwen'], hooks: ['.qwen/settings.json'] },
  {
    name: 'opencode',
    marks: ['.opencode', 'opencode.json', 'opencode.jsonc'],
    hooks: ['.opencode/plugin', '.opencode/plugins'],
  },
  { name: 'Cursor', marks: ['.cursor/hooks.json'], hooks: ['.cursor/hooks.json'] },
];

const MAX_BYTES = 262_144;
const MAX_FILES = 32;
const OURS = /guard-hook\.cjs|[/\\]dist[/\\]hook\.cjs["']? guard\b/;

/**
 * Their names, each with the evidence: `Codex (.codex)`. Copilot CLI is not in the table, because it runs the hooks of the
 * project's settings file. Its own hook files are named if they exist, because with them it may run nothing else.
 */
export function otherHosts(root: string): string[] {
  const found = CLIENTS.flatMap(({ name, marks, hooks }) => {
    const mark = marks.find((one) => fs.existsSync(join(root, one)));
    return mark === undefined || hooks.some((file) => containsGuard(join(root, file)))
      ? []
      : [`${name} (${mark})`];
  });
  const copilot = filesIn(join(root, '.github/hooks')).some((file) => file.endsWith('.json'));
  return copilot && !containsGuard(join(root, '.github/hooks'))
    ? [...found, 'Copilot CLI (.github/hooks)']
    : found;
}

/** Whether this file, or one in this directory, is or contains a hook of guard. */
export const containsGuard = (place: string): boolean =>
  [place, ...filesIn(place)].some((file) => OURS.test(textOf(file, MAX_BYTES) ?? ''));

const filesIn = (dir: string): string[] =>
  namesIn(dir)
    .slice(0, MAX_FILES)
    .map((name) => join(dir, name));
