/** apply and am: touch the files that a patch names. */
import { type Act, fromCwd, type Touch, TOUCHES_NOTHING } from '../act.ts';
import { known } from '../words.ts';
import { noted } from '../heads.ts';
import { type GitOptions, readOptions } from '../options.ts';
import { filesInPatch } from '../patch.ts';
import { listedNames, NAMES_ONLY } from '../questions.ts';
import { textOf } from '../../repo/small-file.ts';
import { aborted, changes, doneElsewhere, MOVES_HEAD } from './shared.ts';

const MOST_BYTES = 8 << 20;
const UNREAD = { unresolved: 'what the patch changes' };

const APPLY =
  'p= C= directory= exclude= include= whitespace= build-fake-ancestor= check stat numstat summary index cached 3way apply no-add reverse reject z unidiff-zero unsafe-paths allow-overlap inaccurate-eof recount verbose quiet ignore-space-change ignore-whitespace intent-to-add allow-binary-replacement binary allow-empty';

export function apply(act: Act): Touch {
  const options = readOptions(act.args, APPLY);
  const isLook = options.has('check', 'stat', 'numstat', 'summary') && !options.has('apply');
  if (isLook || options.has('cached')) return isLook ? TOUCHES_NOTHING : { resources: ['index'] };
  const resources = options.has('index', '3way', '3') ? (['index'] as const) : [];
  const found = patched(act, options);
  if (found === null) return { ...UNREAD, resources };
  const directory = options.value('directory') ?? '';
  const files = found.map((path) =>
    changes(directory === '' ? path : `${directory.replace(/\/$/, '')}/${path}`),
  );
  const instead = "Leave their files out: git apply --exclude='<file>' <patch>";
  return { files, resources, narrower: { paths: null, instead } };
}

/** Null: the patch cannot be read. */
function patched(act: Act, options: GitOptions): readonly string[] | null {
  const words = [...options.operands, ...(options.paths ?? [])];
  if (words.includes(null)) return null;
  const strip = Number(options.value('p') ?? 1);
  const isStdin = words.length === 0 || words.includes('-');
  if (isStdin && act.stdin === null) return piped(act);
  const texts = known(words).map((file) =>
    file === '-' ? act.stdin : textOf(fromCwd(act, file), MOST_BYTES),
  );
  const all = isStdin && words.length === 0 ? [act.stdin] : texts;
  if (all.includes(null)) return null;
  return all.flatMap((text) => filesInPatch(text ?? '', strip));
}

/** `git diff main other | git apply`: git tells which files the patch is about. */
function piped(act: Act): readonly string[] | null {
  if (act.piped === null) return null;
  const [command = '', ...args] = act.piped;
  const asked = args.filter(
    (word) => !/^--?(?:output|stat|color|word-diff|ext-diff|textconv|p$|patch)/.test(word),
  );
  const safe = [...(command === 'show' ? ['--format='] : []), ...NAMES_ONLY, '--no-relative'];
  const listed = act.git(command, ...safe, ...asked);
  return listed === null ? null : listedNames(listed);
}

const AM =
  'p= C= directory= exclude= include= whitespace= patch-format= resolve-msg= S= abort continue skip quit resolved show-current-patch retry interactive 3way quiet signoff utf8 no-utf8 keep scissors no-scissors message-id reject ignore-space-change ignore-whitespace ignore-date committer-date-is-author-date keep-cr rerere-autoupdate';

export function am(act: Act): Touch {
  const options = readOptions(act.args, AM);
  if (options.has('abort'))
    return aborted(act, noted(act.git_dir, 'rebase-apply/abort-safety', 'ORIG_HEAD'), true);
  if (options.has('quit', 'show-current-patch', 'continue', 'r', 'resolved')) return { resources: ['index'] };
  if (options.has('skip')) return aborted(act, null, true);
  const found = patched(act, options);
  if (found === null) return { ...UNREAD, resources: MOVES_HEAD };
  return { files: found.map(changes), resources: MOVES_HEAD, narrower: doneElsewhere('do your am') };
}
