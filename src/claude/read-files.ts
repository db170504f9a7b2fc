// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Which files an agent read in its turn, from its baselines. Looked at only for a denial: it lists a directory. */
import fs from 'node:fs';
import { attempt } from '../core/attempt.ts';
import type { ReadFile } from '../core/rules/write-begin.ts';
import type { RepoPath } from '../core/types.ts';
import type { Repo } from '../repo/locate.ts';
import { baselineDir, baselineIn } from '../workspace/baseline-file.ts';
import type { HookSpace, Hook } from './context.ts';
import { whyRefused } from './why-refused.ts';

/** Of a session that knows more files than this, nobody sorts them all for one denial. */
const KNOWN_MAX = 2_000;
/** The newest; who read more than a few only looked around (core/rules/locked-together.ts). */
const READ_MAX = 24;

/**
 * Newest first, without what no agent may write anyway.
 * @param space only files of this checkout, which one lock command can name together
 */
export function filesRead(hook: Hook, { repo, state_dir }: HookSpace, turn: number): readonly ReadFile[] {
  const found: ReadFile[] = [];
  for (const file of newestFirst(baselineDir(state_dir, hook.who.id))) {
    const known = baselineIn(file);
    if (known === null || known.baseline.turn !== turn || known.baseline.knows === 'absent') continue;
    const abs = absoluteIn(repo, known.path);
    if (abs === null || !isFile(abs) || isRefused(hook, abs)) continue;
    found.push({ path: known.path, abs, digest: known.baseline.digest });
    if (found.length === READ_MAX) break;
  }
  return found;
}

/** What cannot be resolved any more cannot be written either. */
const isRefused = (hook: Hook, abs: string): boolean =>
  attempt(() => whyRefused(hook, hook.resolve(abs)) !== null, true);

/** Null for a file of another checkout. */
function absoluteIn({ root, worktree }: Repo, path: RepoPath): string | null {
  const scope = worktree === null ? '' : `//${worktree}/`;
  const rel = path.startsWith(scope) ? path.slice(scope.length) : '/';
  return rel.startsWith('/') ? null : `${root}/${rel}`;
}

function newestFirst(dir: string): readonly string[] {
  const files = namesIn(dir)
    .filter((name) => name.endsWith('.json'))
    .map((name) => `${dir}/${name}`);
  if (files.length > KNOWN_MAX) return [];
  const times = new Map(files.map((file) => [file, timeOf(file)]));
  const timeAt = (file: string): number => times.get(file) ?? 0;
  return files.sort((a, b) => timeAt(b) - timeAt(a)).slice(0, READ_MAX * 4);
}

/** It read nothing yet, or what it read cannot be told: the file at hand is named in any case. */
const namesIn = (dir: string): string[] => attempt(() => fs.readdirSync(dir), []);

const timeOf = (file: string): number => statOf(file)?.mtimeMs ?? 0;
const isFile = (abs: string): boolean => statOf(abs)?.isFile() === true;

/** Null for what is not there, and for what cannot be looked at. */
const statOf = (file: string): fs.Stats | null => attempt(() => fs.lstatSync(file), null);
