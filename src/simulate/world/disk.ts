/** The files at a past moment, as far as transcripts show their content. */
import type { AgentId, Digest, RepoPath } from '../../core/types.ts';
import type { Texts } from './texts.ts';

/** Who left a content there: an agent, or null if no transcript shows it. */
type LeftBy = AgentId | null;

interface FileThen {
  /** For a content that no transcript shows, a unique placeholder. Null: no file. */
  readonly digest: Digest | null;
  readonly is_known: boolean;
  /** 0: before the first transcript, as far as is known. */
  readonly changed_ms: number;
  readonly by: LeftBy;
}

interface ChangeThen {
  readonly at_ms: number;
  readonly by: LeftBy;
}

export interface DiskThen {
  /** A path that no transcript has mentioned counts as existing, with unknown content. */
  readonly at: (path: RepoPath) => FileThen;
  readonly isMentioned: (path: RepoPath) => boolean;
  readonly put: (path: RepoPath, text: string | null, change: ChangeThen) => FileThen;
  /** The content has changed, but no transcript shows the new one. */
  readonly blur: (path: RepoPath, change: ChangeThen) => FileThen;
  /** A content that was there all along, but is shown only now. Returns its placeholder. */
  readonly reveal: (path: RepoPath, text: string | null) => string | null;
}

const UNSHOWN = 'unshown-';

export const isUnshown = (digest: Digest | null): boolean => digest?.startsWith(UNSHOWN) === true;

export function openDisk(texts: Texts): DiskThen {
  const files = new Map<RepoPath, FileThen>();
  let names = 0;
  const set = (path: RepoPath, file: FileThen): FileThen => {
    files.set(path, file);
    return file;
  };
  const blur = (path: RepoPath, { at_ms, by }: ChangeThen): FileThen =>
    set(path, { digest: `${UNSHOWN}${++names}`, is_known: false, changed_ms: at_ms, by });
  const named = (text: string | null): Pick<FileThen, 'digest' | 'is_known'> => ({
    digest: text === null ? null : texts.keep(text),
    is_known: true,
  });
  const at = (path: RepoPath): FileThen => files.get(path) ?? blur(path, { at_ms: 0, by: null });
  return {
    at,
    isMentioned: (path) => files.has(path),
    put: (path, text, { at_ms, by }) => set(path, { ...named(text), changed_ms: at_ms, by }),
    blur,
    reveal(path, text) {
      const before = at(path);
      set(path, { ...before, ...named(text) });
      return before.digest;
    },
  };
}
