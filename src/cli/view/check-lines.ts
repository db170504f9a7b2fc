/** The results of guard doctor's checks, for people. */
import type { CheckResult } from '../../install/check.ts';
import type { Shell } from '../shell.ts';

/** Results that differ only in where they were found share a row: a wrong time limit is in every hook at once. */
export function checkLines(results: readonly CheckResult[], { color }: Pick<Shell, 'color'>): string[] {
  const marks = { ok: color.green('ok  '), warn: color.yellow('warn'), fail: color.red('FAIL') };
  return inKinds(results).flatMap(([first, ...others]) => {
    const { status, id, message, hint } = first;
    const more = others.length === 0 ? '' : ` (and ${others.length} more like this: --json lists them)`;
    const row = `${marks[status]} ${color.bold(id.padEnd(16))} ${message}${more}`;
    return status === 'ok' || hint === '' ? [row] : [row, `${' '.repeat(22)}${color.dim(hint)}`];
  });
}

type Kind = [CheckResult, ...CheckResult[]];

function inKinds(results: readonly CheckResult[]): readonly Kind[] {
  const kinds: Kind[] = [];
  for (const result of results) {
    const last = kinds.at(-1);
    if (last !== undefined && isLike(last[0], result)) last.push(result);
    else kinds.push([result]);
  }
  return kinds;
}

const isLike = (a: CheckResult, b: CheckResult): boolean =>
  a.status !== 'ok' && a.id === b.id && a.status === b.status && a.hint !== '' && a.hint === b.hint;
