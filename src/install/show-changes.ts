/** Changes to files, for people (a unified diff) and for programs. */
import { createTwoFilesPatch } from 'diff';
import type { FileChange } from './file-change.ts';

export interface ChangeSummary {
  readonly action: 'created' | 'updated' | 'removed';
  readonly path: string;
}

export function summaryOf(changes: readonly FileChange[]): readonly ChangeSummary[] {
  return changes.map(({ found, after }) => ({ action: actionOf(found.bytes, after), path: found.path }));
}

function actionOf(before: Buffer | null, after: Buffer | null): ChangeSummary['action'] {
  if (after === null) return 'removed';
  return before === null ? 'created' : 'updated';
}

/** In the format of `diff -u` and git, so that a pager, an editor or `git apply` understands it. */
export function patchOf(changes: readonly FileChange[]): string {
  return changes
    .map(({ found, after }) =>
      createTwoFilesPatch(
        found.bytes === null ? '/dev/null' : found.path,
        after === null ? '/dev/null' : found.path,
        found.bytes?.toString('utf8') ?? '',
        after?.toString('utf8') ?? '',
      ),
    )
    .map((patch) => patch.replace(/^=+\n/, ''))
    .join('');
}
