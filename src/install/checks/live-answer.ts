/** What the installed hook answered to a live event, and whether that was the right denial. */
import { attempt } from '../../core/attempt.ts';

interface Told {
  readonly error_type?: string;
  readonly message?: string;
  readonly details?: { readonly code?: string };
}

/** Null for the denial that was expected. */
export function whyNotDenied(exit: number | null, denial: Told | null, stderr: string): string | null {
  const said = stderr === '' ? '' : `: ${firstLine(stderr)}`;
  if (exit !== 2)
    return `exit code ${exit ?? 'none (timed out)'}${exit === 0 ? ', the write passes' : ''}${said}`;
  if (denial === null) return `no denial on standard output${said}`;
  if (denial.error_type === 'PROTECTED_PATH') return null;
  return `it was denied for another reason: ${denial.details?.code ?? denial.error_type ?? '?'} (${denial.message ?? ''})`;
}

export const denialIn = (stdout: string): Told | null =>
  attempt(() => {
    const answer = JSON.parse(stdout) as { hookSpecificOutput?: { permissionDecisionReason?: string } };
    return JSON.parse(answer.hookSpecificOutput?.permissionDecisionReason ?? '') as Told;
  }, null);

const firstLine = (text: string): string => text.trim().split('\n', 1)[0] ?? '';
