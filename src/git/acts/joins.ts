/** merge, pull, rebase, cherry-pick, revert, bisect: bring the changes of other commits into the checkout. */
import { type Act, type Touch, type TouchedFile, TOUCHES_NOTHING } from '../act.ts';
import { noted, todo } from '../heads.ts';
import { type GitOptions, readOptions } from '../options.ts';
import { between, changedBy } from '../questions.ts';
import {
  aborted,
  changedFiles,
  changes,
  checkedOut,
  doneElsewhere,
  losing,
  mergedIn,
  MOVES_HEAD,
  moved,
  overwrites,
  picked,
} from './shared.ts';
import { known, type Word } from '../words.ts';
import { commit } from './index-acts.ts';

const UPSTREAM = '@{upstream}';

/** @param before what the command does to files first */
const touches = (act: Act, paths: readonly string[], before: readonly TouchedFile[] = []): Touch => ({
  files: [...before, ...[...new Set(paths)].map(changes)],
  resources: MOVES_HEAD,
  narrower: doneElsewhere(`do your ${act.command}`),
});

/** The changes that the command stashes first and restores afterwards. */
const stashed = (act: Act, options: GitOptions): readonly TouchedFile[] =>
  options.has('autostash') ? changedFiles(act).map(overwrites) : [];

const MERGE =
  'm= F= file= s= strategy= X= strategy-option= into-name= cleanup= abort continue quit squash no-squash commit no-commit ff no-ff ff-only edit no-edit stat no-stat log no-log verify no-verify verify-signatures autostash no-autostash allow-unrelated-histories signoff quiet verbose progress rerere-autoupdate overwrite-ignore';

export function merge(act: Act): Touch {
  const options = readOptions(act.args, MERGE);
  if (options.has('abort'))
    return noted(act.git_dir, 'MERGE_HEAD') === null ? TOUCHES_NOTHING : aborted(act, null, true);
  if (options.has('continue')) return commit({ ...act, args: [] });
  if (options.has('quit') || options.value('s', 'strategy') === 'ours') return TOUCHES_NOTHING;
  const others = options.operands.length === 0 ? [UPSTREAM] : options.operands;
  return fromOthers(act, others, options);
}

function fromOthers(act: Act, others: readonly Word[], options: GitOptions): Touch {
  const found = others.map((other) => (other === null ? null : mergedIn(act, other)));
  const paths = found.flatMap((one) => one ?? []);
  const partly = others.includes(null) ? { unresolved: 'which commit' } : {};
  if (paths.length === 0) return { ...partly, resources: MOVES_HEAD };
  return { ...touches(act, paths, stashed(act, options)), ...partly };
}

const PULL =
  's= strategy= X= strategy-option= depth= upload-pack= server-option= refmap= jobs= rebase no-rebase ff ff-only no-ff autostash no-autostash all append tags prune force quiet verbose squash no-commit commit edit no-edit stat no-stat unshallow recurse-submodules set-upstream dry-run allow-unrelated-histories progress';

/** What the remote has by now cannot be known: the state last fetched is checked, and the answer says that more may come. */
export function pull(act: Act): Touch {
  const options = readOptions(act.args, PULL);
  const [remote, ...specs] = options.operands;
  const partly = { unresolved: 'what the remote has by now' };
  const other =
    remote === undefined
      ? UPSTREAM
      : remote === null || specs.includes(null)
        ? null
        : fetched(remote, specs[0] ?? undefined);
  if (other === null) return { ...partly, resources: MOVES_HEAD };
  const found = options.has('rebase', 'r')
    ? rebased(act, other, other, options)
    : fromOthers(act, [other], options);
  return remote === '.' ? found : { ...found, ...partly };
}

const fetched = (remote: string, spec: string | undefined): string => {
  const name = (spec ?? '').replace(/^\+/, '').replace(/:.*$/s, '');
  if (remote === '.') return name === '' ? 'HEAD' : name;
  return name === '' ? UPSTREAM : `refs/remotes/${remote}/${name}`;
};

const REBASE =
  'onto= s= strategy= X= strategy-option= x= exec= C= whitespace= empty= abort continue skip quit edit-todo show-current-patch interactive root keep-base autosquash no-autosquash autostash no-autostash force-rebase no-ff fork-point no-fork-point merge apply rebase-merges keep-empty update-refs verify no-verify quiet verbose stat no-stat signoff reschedule-failed-exec committer-date-is-author-date ignore-date reset-author-date ignore-whitespace rerere-autoupdate preserve-merges';

export function rebase(act: Act): Touch {
  const options = readOptions(act.args, REBASE);
  const state = ['rebase-merge', 'rebase-apply'];
  if (options.has('abort'))
    return aborted(act, noted(act.git_dir, ...state.map((dir) => `${dir}/orig-head`)));
  if (options.has('quit', 'edit-todo', 'show-current-patch')) return TOUCHES_NOTHING;
  if (options.has('continue', 'skip')) {
    const left = todo(act.git_dir, 'rebase-merge/git-rebase-todo');
    return resumed(act, left, options.has('skip'));
  }
  const [upstream = UPSTREAM, branch = 'HEAD'] = options.operands;
  const onto = options.value('onto') ?? upstream;
  if (upstream === null || branch === null || onto === null)
    return { unresolved: 'which commits', resources: MOVES_HEAD };
  const away = branch === 'HEAD' ? [] : (moved(act, branch) ?? []).map(({ path }) => path);
  const found = rebased(act, upstream, onto, options);
  return away.length === 0 ? found : { ...found, files: [...(found.files ?? []), ...away.map(changes)] };
}

/** Continues with the remaining commits; a skip also reverts what the current one has done. */
function resumed(act: Act, left: readonly string[], is_skip: boolean): Touch {
  const dirty = is_skip ? changedFiles(act) : [];
  const paths = left.length === 0 ? [] : (changedBy(act.git, left) ?? []);
  return { ...touches(act, []), files: losing(dirty, paths) };
}

/** With one of these options, commits are made again even if nothing is new. */
const AGAIN = 'i interactive f force-rebase no-ff onto x exec autosquash r rebase-merges'.split(' ');

/** Moves to the newest commit of the other side, and reapplies one's own commits on top. */
function rebased(act: Act, upstream: string, onto: string, options: GitOptions): Touch {
  const theirs = between(act.git, 'HEAD', onto, ['--merge-base']);
  if (theirs === null) return { resources: MOVES_HEAD };
  const isAgain = options.has(...AGAIN);
  if (theirs.length === 0 && !(isAgain && options.operands.length > 0)) return { resources: MOVES_HEAD };
  const ours = between(act.git, upstream, 'HEAD', ['--merge-base']) ?? [];
  const paths = [...theirs, ...ours].map(({ path }) => path);
  return touches(act, paths, stashed(act, options));
}

const PICK =
  'm= mainline= s= strategy= X= strategy-option= cleanup= abort continue skip quit edit no-edit no-commit signoff ff allow-empty allow-empty-message keep-redundant-commits empty rerere-autoupdate reference';

/** cherry-pick and revert. */
export function pick(act: Act): Touch {
  const options = readOptions(act.args, PICK);
  const head = act.command === 'revert' ? 'REVERT_HEAD' : 'CHERRY_PICK_HEAD';
  if (options.has('abort')) return aborted(act, noted(act.git_dir, 'sequencer/head'), true);
  if (options.has('quit')) return TOUCHES_NOTHING;
  if (options.has('continue', 'skip')) {
    const [, ...left] = todo(act.git_dir, 'sequencer/todo');
    return resumed(act, left, options.has('skip') && noted(act.git_dir, head) !== null);
  }
  const revisions = known(options.operands);
  const partly = revisions.length < options.operands.length ? { unresolved: 'which commits' } : {};
  if (revisions.length === 0) return { ...partly, resources: MOVES_HEAD };
  return { ...touches(act, picked(act, revisions) ?? []), ...partly };
}

/** Every step checks out another commit between the good and the bad ones. */
export function bisect(act: Act): Touch {
  const [verb, ...rest] = act.args;
  if (verb === undefined || verb === null || ['log', 'view', 'visualize', 'terms', 'help'].includes(verb))
    return TOUCHES_NOTHING;
  if (verb === 'reset') {
    const to = rest[0] ?? noted(act.git_dir, 'BISECT_START');
    const files = to === null ? null : checkedOut(act, to, false);
    return files === null ? TOUCHES_NOTHING : { ...touches(act, []), files };
  }
  const named = known(rest).filter((word) => !word.startsWith('-'));
  const [bad = 'refs/bisect/bad', ...good] =
    verb === 'start'
      ? named
      : verb === 'good' || verb === 'old'
        ? ['refs/bisect/bad', ...(named.length === 0 ? ['HEAD'] : named)]
        : [named[0] ?? (verb === 'bad' || verb === 'new' ? 'HEAD' : 'refs/bisect/bad')];
  const goods = good.length > 0 ? good : ['--glob=refs/bisect/good-*'];
  const paths = changedBy(act.git, ['HEAD', bad, '--not', ...goods, '--glob=refs/bisect/good-*'], true);
  if (paths === null || (verb === 'start' && good.length === 0)) return TOUCHES_NOTHING;
  return touches(act, paths);
}
