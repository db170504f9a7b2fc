/** submodule: checkouts within the checkout. What is dirty in one is not asked: that would run git with its configuration. */
import { fromCwd, TOUCHES_NOTHING } from '../act.ts';
import type { Act, Touch } from '../act.ts';
import { readOptions } from '../options.ts';
import { pathsOf } from '../pathspecs.ts';
import { dirtyFiles } from '../questions.ts';
import { changes } from './shared.ts';

export function submodule(act: Act): Touch {
  const [verb, ...rest] = act.args.filter((word) => word === null || !/^(?:-q|--quiet)$/.test(word));
  if (verb === 'foreach')
    return rest.some((word) => WRITES.test(word ?? '')) || WRITES.test(rest.join(' '))
      ? trees(modulesOf(act, []))
      : TOUCHES_NOTHING;
  if (verb !== 'update' && verb !== 'deinit') return TOUCHES_NOTHING;
  const options = readOptions(
    rest,
    'reference= depth= jobs= j= filter= init recursive remote checkout merge rebase force no-fetch single-branch all',
  );
  const { paths } = pathsOf(act, options);
  if (verb === 'deinit') return trees(paths.map((path) => fromCwd(act, path)));
  // By force git checks out what is at the right commit, too; else those that are at another one than the index says.
  if (options.has('f', 'force')) return trees(modulesOf(act, paths));
  const moved = dirtyFiles(act.git, 'no', paths).filter(({ kind }) => kind === 'submodule');
  return trees(moved.map(({ path }) => path));
}

/** What `foreach` runs in each of them that puts other files there. */
const WRITES =
  /\bgit\s+(?:-\S+\s+)*(?:reset|checkout|checkout-index|read-tree|clean|stash|restore|switch|pull|merge|rebase|rm|mv|apply|am)\b/;

const trees = (paths: readonly string[]): Touch => ({
  files: paths.map((path) => ({ ...changes(path), is_tree: true })),
});

function modulesOf(act: Act, paths: readonly string[]): readonly string[] {
  const listed = act.git('ls-files', '-s', '-z', '--full-name', '--', ...(paths.length > 0 ? paths : [':/']));
  return (listed ?? '').split('\0').flatMap((line) => /^160000 \S+ \d\t(.*)$/s.exec(line)?.[1] ?? []);
}
