/** The contents of agents' worktrees, file by file, and how they overlap with each other and the main checkout. */
import { inTurns } from '../forecast/git.ts';
import type { ForecastLook, SeenCheckout } from '../forecast/look.ts';
import { MAIN } from '../forecast/checkouts.ts';
import type { FileConflict } from '../forecast/merged.ts';
import type { DraftState } from '../core/drafts.ts';
import type { KeptWorktree } from '../harness/kept-worktree.ts';

interface ChangedFile {
  readonly path: string;
  /** `null` if it is not text. */
  readonly added: number | null;
  readonly removed: number | null;
  /** Not committed, or not completely. */
  readonly is_open: boolean;
}

export interface ChangedWorktree extends Pick<DraftState, 'role' | 'status'> {
  readonly agentId: string;
  readonly name: string | null;
  readonly taskSlug: string;
  readonly dir: string;
  readonly branch: string;
  readonly files: readonly ChangedFile[];
  readonly commits: number;
  /** Conflicts with the main checkout, including what is not committed there. */
  readonly conflicts: readonly FileConflict[];
  readonly notes: readonly string[];
}

export interface MeetingPair {
  /** Ids of agents. */
  readonly a: string;
  readonly b: string;
  /** Files that both changed. */
  readonly overlaps: readonly string[];
  /** Those of them that git cannot merge. */
  readonly conflicts: readonly FileConflict[];
}

export interface WorktreeChanges {
  readonly into: string;
  readonly worktrees: readonly ChangedWorktree[];
  readonly pairs: readonly MeetingPair[];
  readonly notes: readonly string[];
}

interface Wish {
  readonly root: string;
  /** Only for this agent, and pairs that include it; `null`: for all. */
  readonly only: string | null;
  /** Files in a worktree that are as its setup left them, and therefore no agent's work. */
  readonly madeIn: (one: KeptWorktree) => ReadonlySet<string>;
}

export async function worktreeChanges(
  look: ForecastLook,
  kept: readonly KeptWorktree[],
  { root, only, madeIn }: Wish,
): Promise<WorktreeChanges> {
  const seenOf = ({ worktree }: KeptWorktree): SeenCheckout | undefined =>
    look.checkouts.find(({ path }) => path === worktree.dir);
  const all = await inTurns(kept, async (one) => {
    const made = madeIn(one);
    return { one, made, row: await rowOf(look, one, { seen: seenOf(one), made }) };
  });
  const shown = all.filter(({ row }) => only === null || row.agentId === only);
  const pairs = all.flatMap((a, nth) =>
    all.slice(nth + 1).flatMap((b) => {
      if (only !== null && a.row.agentId !== only && b.row.agentId !== only) return [];
      const overlaps = a.row.files
        .map(({ path }) => path)
        .filter((path) => b.row.files.some((other) => other.path === path));
      const conflicts = conflictsOf(look, seenOf(a.one)?.id, seenOf(b.one)?.id).filter(
        ({ path }) => !a.made.has(path) && !b.made.has(path),
      );
      return overlaps.length + conflicts.length === 0
        ? []
        : [{ a: a.row.agentId, b: b.row.agentId, overlaps, conflicts }];
    }),
  );
  return { into: root, worktrees: shown.map(({ row }) => row), pairs, notes: look.notes };
}

const conflictsOf = (
  { pairs }: ForecastLook,
  a: string | undefined,
  b: string | undefined,
): readonly FileConflict[] =>
  pairs.find((pair) => (pair.a === a && pair.b === b) || (pair.a === b && pair.b === a))?.found?.conflicts ??
  [];

async function rowOf(
  look: ForecastLook,
  { draft, worktree, is_there }: KeptWorktree,
  { seen, made }: { readonly seen: SeenCheckout | undefined; readonly made: ReadonlySet<string> },
): Promise<ChangedWorktree> {
  const { git, cwd } = look;
  const { base, branch, dir, notes = [] } = worktree;
  const tip = is_there ? (seen?.head ?? base) : `refs/heads/${branch}`;
  const whole = seen?.taken?.commit ?? tip;
  const ask = (...args: readonly string[]): Promise<string> => git.ask({ cwd }, ...args);
  const counted = await ask('diff', '--numstat', '--no-renames', '-z', base, whole, '--');
  const open = whole === tip ? '' : await ask('diff', '--name-only', '--no-renames', '-z', tip, whole, '--');
  const names = new Set(namesIn(open));
  return {
    agentId: draft.id,
    name: draft.name ?? null,
    ...{ role: draft.role, status: draft.status, taskSlug: draft.task, dir, branch },
    files: countsIn(counted)
      .map((file) => ({ ...file, is_open: names.has(file.path) }))
      .filter(({ path, is_open }) => !is_open || !made.has(path)),
    commits: Number((await ask('rev-list', '--count', `${base}..${tip}`, '--')).trim()),
    conflicts: conflictsOf(look, MAIN, seen?.id).filter(({ path }) => !made.has(path)),
    notes: [
      ...notes,
      ...(is_there ? [] : ['Its directory is gone; its branch still exists.']),
      ...(seen?.taken?.notes ?? []),
    ],
  };
}

const namesIn = (listed: string): readonly string[] =>
  Buffer.from(listed, 'latin1')
    .toString()
    .split('\0')
    .filter((name) => name !== '');

/** `added TAB removed TAB path`, with `-` if the file is not text. */
const countsIn = (listed: string): readonly Omit<ChangedFile, 'is_open'>[] =>
  namesIn(listed).flatMap((line) => {
    const [, added = '-', removed = '-', path] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(line) ?? [];
    const count = (text: string): number | null => (text === '-' ? null : Number(text));
    return path === undefined ? [] : [{ path, added: count(added), removed: count(removed) }];
  });
