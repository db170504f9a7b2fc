// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** A denial for unseen content says what changed since the agent last looked, if that is short and known. */
import { knownText, TEXT_MAX_BYTES } from '../commands/known-text.ts';
import { asksToRead } from '../../core/denial-kinds.ts';
import type { WriteTarget, WriteVerdict } from '../../core/rules/write-event.ts';
import { undoLimits } from '../../core/undo-limits.ts';
import { isKeepable } from '../../contents/keepable.ts';
import type { Target } from '../../repo/canonical.ts';
import type { SeenBytes } from '../kept.ts';
import type { HookSpace, Hook } from '../context.ts';
import { asList } from '../../core/json-object.ts';
import type { Json } from '../../core/ledger.ts';
import { turnOf } from './targets.ts';
import { someDifference } from '../text/difference.ts';
import { decodeText } from '../text/encoding.ts';

type Denied = Extract<WriteVerdict, { verdict: 'denied' }>;
type Judged = WriteTarget & { readonly disk: SeenBytes };

/** A third of the length limit of a refusal in text; a whole file of 40 lines fits. */
const DIFFERENCE_CHARS = 1_500;

/** For a denial that is all the agent sees of a file: a fifth of what Codex passes on uncut. */
const WHOLE_CHARS = 4_000;

/**
 * Not for the ledger: the record of the refusal was written without it. The agent still has to read the file; but if its
 * client does not report reads, a difference that was shown in full counts as read.
 */
export function withDifference(
  { hook, space }: { readonly hook: Hook; readonly space: HookSpace },
  files: readonly Target[],
  targets: readonly Judged[],
  verdict: Denied,
): Denied {
  const { denial } = verdict;
  const at = files.findIndex(({ abs }) => abs === denial.details['path']);
  const [file, target] = [files[at], targets[at]];
  if (file === undefined || target === undefined || !asksToRead(denial.error_type)) return verdict;
  const isTold = hook.input.host === 'codex';
  const told = differenceFor(space, file, target, isTold ? WHOLE_CHARS : DIFFERENCE_CHARS);
  if (told === null || (told.from_nothing && !isTold)) return verdict;
  const { diff, omitted_lines } = told;
  const { digest } = target.disk;
  const isSeen = isTold && omitted_lines === 0 && digest !== null;
  if (isSeen) space.baselines.write(file.path, { turn: turnOf(hook), knows: 'content', digest });
  const details = {
    ...denial.details,
    ...(diff === '' ? {} : { diff }),
    ...(omitted_lines === 0 ? {} : { omitted_lines }),
    ...(isSeen ? { next: nextAfter(denial.details['next']) } : {}),
  };
  return { ...verdict, denial: { ...denial, details } };
}

const nextAfter = (steps: Json | undefined): readonly string[] => [
  ...asList(steps).filter((step): step is string => typeof step === 'string' && !step.startsWith('Read ')),
  '"diff" is everything that changed: make your change again so that it fits',
];

/** From what the agent itself saw to what is there now; for a file that may be copied, from nothing. */
function differenceFor(
  { state_dir, config }: HookSpace,
  { path, abs }: Target,
  { baseline, disk }: Judged,
  max_chars: number,
): { readonly diff: string; readonly omitted_lines: number; readonly from_nothing: boolean } | null {
  if (disk.bytes === undefined || disk.bytes.length > TEXT_MAX_BYTES) return null;
  if (!isKeepable({ path, abs }, undoLimits(config.undo))) return null;
  const before = baseline?.digest ? knownText(state_dir, baseline.digest) : null;
  const after = decodeText(disk.bytes);
  const told = after === null ? null : someDifference(before ?? '', after, max_chars);
  return told === null ? null : { ...told, from_nothing: before === null };
}
