/**
 * Which files keep the repository guarded: an agent's write to them is denied (PROTECTED_PATH). `isAt` answers what
 * only the disk or the environment knows, and is asked only if a name makes it relevant: resolving directories costs a
 * cold hook 2 ms, and nearly no file is in one of them.
 */

/** Places that only the shell can look up. */
export type ProtectedPlace =
  'managed' | 'registry' | 'git' | 'state' | 'user_config' | 'launcher' | 'roles' | 'program';

export interface NamedFile {
  /** The file's own path, links resolved; with `/`. */
  readonly real: string;
  /** The path as it was given, absolute; with `/`. */
  readonly abs: string;
  /** Whether it is that file, or in that directory. */
  readonly isAt: (place: ProtectedPlace) => boolean;
}

interface Ward {
  readonly reason: string;
  /** Protected by its name alone. */
  readonly name?: RegExp;
  /** The name as it was given counts too. */
  readonly given_too?: true;
  /** Protected if it is at this place; checked only for files whose real name matches `may_be`. */
  readonly place?: ProtectedPlace;
  readonly may_be?: RegExp;
}

const WARDS: readonly Ward[] = [
  { reason: "it is managed settings of the client, which win over guard's.", place: 'managed' },
  {
    reason: 'it says which plugins and servers the client runs, and what it trusts.',
    place: 'registry',
    may_be: /(?:_plugins|known_marketplaces|\.claude|\.config)\.json$/i,
  },
  {
    reason:
      'it belongs to git, and makes git run programs, or says what the repository is. Use git for that.',
    place: 'git',
  },
  { reason: 'it is what a person restores the settings from.', name: /\.guard-backup$/i },
  {
    reason: "it is part of guard's own state.",
    // State directories anywhere: one that an agent creates above the repository, or in another git directory, would
    // control everything below it.
    name: /\/(?:\.guard|\.git\/(?:modules\/.+\/)?guard)\//i,
    place: 'state',
    may_be: /\/\.?guard(?:\/|$)/i,
  },
  {
    reason: "it is guard's configuration.",
    name: /(?:^|\/)guard\.config\.json$/i,
    place: 'user_config',
  },
  {
    reason: 'it starts guard in every session.',
    name: /\/\.claude\/guard-hook\.cjs$/i,
    given_too: true,
    place: 'launcher',
    may_be: /guard-hook/i,
  },
  {
    // These tie a worktree or a submodule to its repository. Git writes them; nothing else has to.
    reason: 'it says which repository, and so which ledger, the files around it belong to.',
    name: /\/\.git$|\/worktrees\/[^/]+\/(?:gitdir|commondir)$/i,
  },
  { reason: 'it says what drafted agents may do.', place: 'roles' },
  {
    reason: "it is guard's own program.",
    place: 'program',
    may_be:
      /\/(?:dist|bin|hooks|native|versions|node_modules|\.claude-plugin)\/|\/(?:package|current)\.json$/i,
  },
];

/** The reason, as the end of a sentence; `null` for an ordinary file. */
export const whyProtected = (file: NamedFile): string | null =>
  WARDS.find((ward) => covers(ward, file))?.reason ?? null;

function covers({ name, given_too, place, may_be }: Ward, { real, abs, isAt }: NamedFile): boolean {
  if (name?.test(real) === true || (given_too === true && name?.test(abs) === true)) return true;
  return place !== undefined && may_be?.test(real) !== false && isAt(place);
}

/** Below a git directory, or that of a submodule or a linked worktree inside it (docs/decisions/078). */
const GITS =
  /^(?:modules\/.+\/|worktrees\/[^/]+\/)?(?:(?:config(?:\.worktree)?|commondir|gitdir|HEAD|index|packed-refs)(?:\.lock)?|(?:hooks|objects|refs|reftable)(?:\/.*)?)$/i;

/** Whether only git should write this file. @param dirs git directories, which may have any name and be anywhere */
export function isGits({ real, abs }: Pick<NamedFile, 'real' | 'abs'>, dirs: readonly string[]): boolean {
  const paths = [real, abs];
  const named = paths.flatMap((path) =>
    [...path.matchAll(/\/\.git\/(?=(.*)$)/gis)].map(([, rest = '']) => rest),
  );
  const placed = dirs.flatMap((dir) =>
    paths.filter((path) => path.startsWith(`${dir}/`)).map((path) => path.slice(dir.length + 1)),
  );
  return [...named, ...placed].some((path) => GITS.test(path));
}
