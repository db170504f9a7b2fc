// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** A denial for content that the agent has not seen says what changed since it looked, as far as that is short and known. */
import { knownText, TEXT_MAX_BYTES } from '../commands/known-text.ts';
import { asksToRead } from '../../core/denial-kinds.ts';
import type { WriteTarget, WriteVerdict } from '../../core/rules/write-begin.ts';
import { undoLimits } from '../../core/undo-limits.ts';
import { isKeepable } from '../../contents/keepable.ts';
import type { Target } from '../../repo/canonical.ts';
import type { SeenBytes } from '../kept.ts';
import type { HookSpace } from '../context.ts';
import { someDifference } from '../text/difference.ts';
import { decodeText } from '../text/encoding.ts';

type Denied = Extract<WriteVerdict, { verdict: 'denied' }>;
type Judged = WriteTarget & { readonly disk: SeenBytes };

/** A third of what a refusal in words may take; a whole file of 40 lines fits. */
const DIFFERENCE_CHARS = 1_500;

/** Not for the ledger: the record of the refusal was written without it. The agent still has to read the file. */
export function withDifference(
  space: HookSpace,
  files: readonly Target[],
  targets: readonly Judged[],
  verdict: Denied,
): Denied {
  const { denial } = verdict;
  const at = files.findIndex(({ abs }) => abs === denial.details['path']);
  const [file, target] = [files[at], targets[at]];
  if (file === undefined || target === undefined || !asksToRead(denial.error_type)) return verdict;
  const told = differenceFor(space, file, target);
  if (told === null) return verdict;
  const { diff, omitted_lines } = told;
  const details = {
    ...denial.details,
    ...(diff === '' ? {} : { diff }),
    ...(omitted_lines === 0 ? {} : { omitted_lines }),
  };
  return { ...verdict, denial: { ...denial, details } };
}

/** From what the agent saw itself, of a file that copies may be made of, to what is there. */
function differenceFor(
  { state_dir, config }: HookSpace,
  { path, abs }: Target,
  { baseline, disk }: Judged,
): { readonly diff: string; readonly omitted_lines: number } | null {
  if (!baseline?.digest || disk.bytes === undefined || disk.bytes.length > TEXT_MAX_BYTES) return null;
  if (!isKeepable({ path, abs }, undoLimits(config.undo))) return null;
  const before = knownText(state_dir, baseline.digest);
  const after = decodeText(disk.bytes);
  return before === null || after === null ? null : someDifference(before, after, DIFFERENCE_CHARS);
}
