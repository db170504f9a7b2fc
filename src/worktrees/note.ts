/** Guard's note about a worktree that it made, in the worktree's own git directory, so that guard removes no other worktree. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsedObject } from '../core/json-object.ts';
import { textOf } from '../repo/small-file.ts';

const NOTE = 'guard-made.json';
/** The client's own file, with the commit at which the worktree began. */
const BASE = 'CLAUDE_BASE';

export interface WorktreeNote {
  readonly base: string;
  readonly branch: string;
  /** Directories that are links to those of the main checkout. */
  readonly links: readonly string[];
}

export function writeNote(git_dir: string, note: WorktreeNote): void {
  writeFileSync(join(git_dir, BASE), note.base);
  writeFileSync(join(git_dir, NOTE), `${JSON.stringify({ v: 1, ...note })}\n`);
}

/** Null: guard did not make it. */
export function readNote(git_dir: string): WorktreeNote | null {
  const { base, branch, links } = parsedObject(textOf(join(git_dir, NOTE), 1 << 16) ?? '');
  if (typeof base !== 'string' || typeof branch !== 'string' || !Array.isArray(links)) return null;
  return { base, branch, links: links.filter((one) => typeof one === 'string') };
}
