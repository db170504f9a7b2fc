/** submodule: checkouts inside the checkout. */
import { type Act, type Touch, type TouchedFile, TOUCHES_NOTHING } from '../act.ts';
import { goneModules, lostIn, modulesOf } from '../modules.ts';
import { readOptions } from '../options.ts';
import { pathsOf } from '../pathspecs.ts';
import { dirtyFiles } from '../questions.ts';
import { CONFIG } from './config.ts';
import { wholeTree } from './shared.ts';

/** These verbs record a submodule's origin in the repository's own configuration. */
const CONFIGURES = ['init', 'add', 'sync', 'set-url', 'absorbgitdirs'];

export function submodule(act: Act): Touch {
  const [verb, ...rest] = act.args.filter((word) => word === null || !/^(?:-q|--quiet)$/.test(word));
  // The reader of the command line handles what `foreach` runs in them as a separate command.
  if (typeof verb === 'string' && CONFIGURES.includes(verb)) return CONFIG;
  if (verb !== 'update' && verb !== 'deinit') return TOUCHES_NOTHING;
  const options = readOptions(
    rest,
    'reference= depth= jobs= j= filter= init recursive remote checkout merge rebase force no-fetch single-branch all',
  );
  const { paths, is_partial } = pathsOf(act, options);
  // git refuses to remove all of them unless told to.
  if (verb === 'deinit' && paths.length === 0 && !is_partial && !options.has('all')) return TOUCHES_NOTHING;
  const is_forced = options.has('f', 'force');
  const modules = verb === 'deinit' || is_forced ? modulesOf(act, paths).map(({ path }) => path) : [];
  const configures = verb === 'deinit' || options.has('init') ? CONFIG : TOUCHES_NOTHING;
  if (verb === 'deinit') return { ...configures, files: goneModules(act, modules, is_forced) };
  // With force, git also checks out submodules at the right commit; otherwise only those that differ from the index.
  if (is_forced) {
    const lost = modules.flatMap((path) => lostIn(act, path, 'no'));
    return { ...configures, ...trees(modules, lost) };
  }
  const moved = dirtyFiles(act.git, 'no', paths).filter(({ kind }) => kind === 'submodule');
  return { ...configures, ...trees(moved.map(({ path }) => path)) };
}

const trees = (paths: readonly string[], lost: readonly TouchedFile[] = []): Touch => ({
  files: [...paths.map(wholeTree), ...lost],
});
