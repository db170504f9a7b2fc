/** Which file a transcript means, by the directories at that time: nothing is looked up, because they may be gone. */
import { posix } from 'node:path';
import type { RepoPath } from '../../core/types.ts';

export interface PlaceThen {
  readonly path: RepoPath;
  readonly abs: string;
  /** It is in the directory where its session started, or in the repository: locks apply there. */
  readonly is_inside: boolean;
}

export interface Places {
  /** @param cwd where the call was made; `project`: where its session began */
  readonly of: (given: string, cwd: string, project: string) => PlaceThen;
  readonly spelled: (path: RepoPath) => string;
}

/** A checkout; `name` is '' for the main one. */
export interface CheckoutThen {
  readonly root: string;
  readonly name: string;
}

/** Where the client keeps the worktrees that it creates itself. */
const OWN_WORKTREES = '/.claude/worktrees/';

const isBelow = (path: string, dir: string): boolean => path === dir || path.startsWith(`${dir}/`);

/** @param checkouts of the simulated repository; empty if the transcripts belong to another one */
export function placesAmong(checkouts: readonly CheckoutThen[]): Places {
  const inner = [...checkouts].sort((a, b) => b.root.length - a.root.length);
  const main = checkouts.find(({ name }) => name === '')?.root;
  const roots = new Map(checkouts.map(({ name, root }) => [name, root]));
  const inCheckout = (abs: string): RepoPath | undefined => {
    const made = main === undefined ? undefined : madeByClient(abs, main, roots);
    if (made !== undefined) return made;
    const found = inner.find(({ root }) => isBelow(abs, root));
    if (found === undefined) return undefined;
    const rest = abs.slice(found.root.length + 1) || '.';
    return found.name === '' ? rest : `//${found.name}/${rest}`;
  };
  return {
    of(given, cwd, project) {
      const abs = posix.resolve('/', cwd, given);
      const own = inCheckout(abs);
      return {
        path: own ?? abs,
        abs,
        is_inside: own !== undefined || (project !== '' && isBelow(abs, project)),
      };
    },
    spelled(path) {
      const [, name, below = ''] = /^\/\/([^/]+)\/(.*)$/s.exec(path) ?? [];
      if (name !== undefined) return `${roots.get(name) ?? `/${name}`}/${below}`;
      return path.startsWith('/') || main === undefined ? path : `${main}/${path}`;
    },
  };
}

function madeByClient(abs: string, main: string, roots: Map<string, string>): RepoPath | undefined {
  const dir = `${main}${OWN_WORKTREES}`;
  if (!abs.startsWith(dir)) return undefined;
  const [name = '', ...rest] = abs.slice(dir.length).split('/');
  if (name === '' || rest.length === 0) return undefined;
  if (!roots.has(name)) roots.set(name, `${dir}${name}`);
  return `//${name}/${rest.join('/')}`;
}
