/** branch, tag, update-ref, symbolic-ref, push and fetch into this repository, reflog: refs that are moved or deleted. */
import { type Act, type RefMove, type Resource, type Touch, TOUCHES_NOTHING } from '../act.ts';
import { currentBranch } from '../heads.ts';
import { readOptions } from '../options.ts';
import { CLEARS_STASH } from './stash.ts';
import { known, type Word } from '../words.ts';

const head = (name: string): string => `refs/heads/${name}`;

function moving(refs: readonly RefMove[]): Touch {
  return { refs, resources: refs.map(({ ref }) => ref as Resource) };
}

const all = (words: readonly Word[], how: RefMove['how']): Touch => {
  const names = known(words);
  const found = moving(names.map((name) => ({ ref: head(name), how })));
  return names.length < words.length ? { ...found, unresolved: 'which branch' } : found;
};

const BRANCH =
  'u= set-upstream-to= contains= no-contains= merged= no-merged= points-at= sort= format= abbrev= delete move copy force list all remotes show-current edit-description unset-upstream track no-track create-reflog column verbose quiet ignore-case';

export function branch(act: Act): Touch {
  const options = readOptions(act.args, BRANCH);
  const { operands } = options;
  if (options.has('r', 'remotes', 'l', 'list', 'a', 'all', 'show-current')) return TOUCHES_NOTHING;
  // Without force, git keeps branches that are not merged.
  if (options.has('D') || (options.has('d', 'delete') && options.has('f', 'force')))
    return configured(all(operands, 'delete'));
  const isNamedLast = options.has('m', 'M', 'c', 'C', 'move', 'copy');
  const isOther = options.has('d', 'delete', 'u', 'set-upstream-to', 'unset-upstream', 'edit-description');
  const moves = !isOther && options.has('f', 'force', 'M', 'C');
  const touch = moves
    ? all(isNamedLast ? operands.slice(-1) : operands.slice(0, 1), 'move')
    : TOUCHES_NOTHING;
  return isOther || isNamedLast || options.has('t', 'track') ? configured(touch) : touch;
}

/** Adds the branch's section of the configuration, which is written, deleted or renamed along with it. */
const configured = (touch: Touch): Touch => ({ ...touch, resources: [...(touch.resources ?? []), 'config'] });

const TAG = 'm= F= u= message= file= local-user= delete force list annotate sign';

export function tag(act: Act): Touch {
  const options = readOptions(act.args, TAG);
  const isDelete = options.has('d', 'delete');
  if (!isDelete && !options.has('f', 'force')) return TOUCHES_NOTHING;
  const names = known(options.operands).slice(0, isDelete ? undefined : 1);
  return { resources: names.map((name): Resource => `refs/tags/${name}`) };
}

export function updateRef(act: Act): Touch {
  const options = readOptions(act.args, 'm= deref no-deref stdin z create-reflog');
  if (options.has('stdin')) return { unresolved: 'which refs' };
  const [ref = null] = options.operands;
  if (ref === null) return { unresolved: 'which ref' };
  const isGone = options.has('d');
  if (ref === 'refs/stash' && isGone) return CLEARS_STASH;
  if (ref === 'refs/stash') return { resources: ['stash'] };
  const name = ref === 'HEAD' ? currentBranch(act.git_dir) : ref.replace(/^refs\//, '');
  return name?.startsWith('heads/') === true
    ? moving([{ ref: `refs/${name}`, how: isGone ? 'delete' : 'move' }])
    : TOUCHES_NOTHING;
}

export function symbolicRef(act: Act): Touch {
  const options = readOptions(act.args, 'm= delete short quiet recurse');
  return options.operands.length > 1 || options.has('d', 'delete')
    ? { resources: ['worktree'] }
    : TOUCHES_NOTHING;
}

/** Only pushes into this repository itself; what another one contains is not our concern. */
export function push(act: Act): Touch {
  const options = readOptions(
    act.args,
    'o= push-option= receive-pack= repo= exec= delete force all mirror tags set-upstream',
  );
  const [remote, ...specs] = options.operands;
  const touch = remote === '.' ? into(specs, options.has('d', 'delete')) : TOUCHES_NOTHING;
  return options.has('u', 'set-upstream') ? configured(touch) : touch;
}

export function fetch(act: Act): Touch {
  const options = readOptions(
    act.args,
    'o= depth= deepen= shallow-since= upload-pack= refmap= jobs= j= server-option= negotiation-tip= filter= update-head-ok all multiple append',
  );
  const [, ...specs] = options.operands;
  // git does not fetch into a branch that is checked out, unless told to.
  return options.has('u', 'update-head-ok') ? into(specs, false) : TOUCHES_NOTHING;
}

function into(specs: readonly Word[], is_delete: boolean): Touch {
  const refs = specs.flatMap((spec): readonly RefMove[] => {
    const [, source = '', goal = source] = /^\+?([^:]*)(?::(.*))?$/s.exec(spec ?? '') ?? [];
    const name = goal.replace(/^refs\/heads\//, '');
    if (name === '' || name === 'HEAD' || name.startsWith('refs/')) return [];
    return [{ ref: head(name), how: is_delete || source === '' ? 'delete' : 'move' }];
  });
  return moving(refs);
}

/** Stash entries are entries of its reflog. */
export function reflog(act: Act): Touch {
  const [verb, ...rest] = act.args;
  const entries = rest.flatMap((word) => /^(?:refs\/)?stash@\{(\d+)\}$/.exec(word ?? '')?.[1] ?? []);
  if (verb === 'delete' && entries.length > 0)
    return { stash: { verb: 'drop', index: Number(entries[0]) }, resources: ['stash'] };
  const isStash = rest.some((word) => word === '--all' || /^(?:refs\/)?stash$/.test(word ?? ''));
  return verb === 'expire' &&
    isStash &&
    rest.some((word) => /^--expire(?:-unreachable)?=(?:now|all)$/.test(word ?? ''))
    ? CLEARS_STASH
    : TOUCHES_NOTHING;
}
