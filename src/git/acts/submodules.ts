/** submodule: checkouts within the checkout. */
import { TOUCHES_NOTHING } from '../act.ts';
import type { Act, Touch, TouchedFile } from '../act.ts';
import { goneModules, lostIn, modulesOf } from '../modules.ts';
import { readOptions } from '../options.ts';
import { pathsOf } from '../pathspecs.ts';
import { dirtyFiles } from '../questions.ts';
import { changes } from './shared.ts';
import type { Word } from '../words.ts';

export function submodule(act: Act): Touch {
  const [verb, ...rest] = act.args.filter((word) => word === null || !/^(?:-q|--quiet)$/.test(word));
  if (verb === 'foreach') return everywhere(act, [...rest, rest.join(' ')]);
  if (verb !== 'update' && verb !== 'deinit') return TOUCHES_NOTHING;
  const options = readOptions(
    rest,
    'reference= depth= jobs= j= filter= init recursive remote checkout merge rebase force no-fetch single-branch all',
  );
  const { paths } = pathsOf(act, options);
  const is_forced = options.has('f', 'force');
  const modules = verb === 'deinit' || is_forced ? modulesOf(act, paths).map(({ path }) => path) : [];
  if (verb === 'deinit') return { files: goneModules(act, modules, is_forced) };
  // By force git checks out what is at the right commit, too; else those that are at another one than the index says.
  if (is_forced)
    return trees(
      modules,
      modules.flatMap((path) => lostIn(act, path, 'no')),
    );
  const moved = dirtyFiles(act.git, 'no', paths).filter(({ kind }) => kind === 'submodule');
  return trees(moved.map(({ path }) => path));
}

/** What `foreach` runs in each of them that puts other files there. */
const WRITES =
  /\bgit\s+(?:-\S+\s+)*(?:reset|checkout|checkout-index|read-tree|clean|stash|restore|switch|pull|merge|rebase|rm|mv|apply|am)\b/;

/** What makes that others' work in them is in no commit and nowhere else any more. */
const LOSES =
  /\bgit\s+(?:-\S+\s+)*(?:reset\s.*--hard|checkout\s.*(?:-f|--force|\s\.|--\s)|checkout-index\b|clean\b|restore\b|stash\b(?!\s+(?:list|show|pop|apply)))/;
const CLEANS = /\bgit\s+(?:-\S+\s+)*(?:clean\b|stash\s.*(?:-u|-a|--include-untracked|--all)\b)/;

function everywhere(act: Act, words: readonly Word[]): Touch {
  const says = (form: RegExp): boolean => words.some((word) => form.test(word ?? ''));
  if (!says(WRITES)) return TOUCHES_NOTHING;
  const modules = modulesOf(act, []).map(({ path }) => path);
  return trees(
    modules,
    says(LOSES) ? modules.flatMap((path) => lostIn(act, path, says(CLEANS) ? 'all' : 'no')) : [],
  );
}

const trees = (paths: readonly string[], lost: readonly TouchedFile[] = []): Touch => ({
  files: [...paths.map((path): TouchedFile => ({ ...changes(path), is_tree: true })), ...lost],
});
