/** The files of then, as far as transcripts tell what was in them. */
import type { AgentId, Digest, RepoPath } from '../../core/types.ts';
import type { Texts } from './texts.ts';

/** Who left a content there: an agent, or nobody that a transcript names. */
type LeftBy = AgentId | null;

interface FileThen {
  /** Of a content that no transcript shows a name of its own, which no other content has. Null: no file. */
  readonly digest: Digest | null;
  readonly is_known: boolean;
  /** 0: before the first transcript, as far as anybody can tell. */
  readonly changed_ms: number;
  readonly by: LeftBy;
}

interface ChangeThen {
  readonly at_ms: number;
  readonly by: LeftBy;
}

export interface DiskThen {
  /** A path that no transcript spoke of before is there, with a content that nobody has shown. */
  readonly at: (path: RepoPath) => FileThen;
  readonly isMentioned: (path: RepoPath) => boolean;
  readonly put: (path: RepoPath, text: string | null, change: ChangeThen) => FileThen;
  /** Another content, which nobody has shown. */
  readonly blur: (path: RepoPath, change: ChangeThen) => FileThen;
  /** What was there all along, and is shown only now. Answers the name that it had. */
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
