/** The answer of one hook process, as data. */
import { isAbsolute } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { asFields, textField } from '../claude/input.ts';
import { isFields } from '../claude/text/field.ts';

export interface HookAnswer {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * `pass`: no objection. `deny`: refused. `fail`: the hook broke its contract (another exit code, or text that is not
 * one JSON value, or for WorktreeCreate a path). `skipped`: not asked, because the call it belongs to had been denied.
 */
export type Decision = 'pass' | 'deny' | 'fail' | 'skipped';

export interface HookOutcome {
  readonly decision: Decision;
  readonly error_type?: string;
  /** The agent was given context. */
  readonly context?: true;
  /** The tool's input was rewritten. */
  readonly rewritten?: true;
  /** The output of a failed hook. */
  readonly detail?: string;
}

export const SKIPPED: HookOutcome = { decision: 'skipped' };

const parse = (text: string): unknown => attempt((): unknown => JSON.parse(text), undefined);

/** The reason of a denial is one JSON object; the reason of a refused settings change is plain text. */
function errorTypeOf(reason: string): string | undefined {
  return textField(asFields(parse(reason)), 'error_type') || undefined;
}

function failed({ exit, stdout, stderr }: HookAnswer): HookOutcome {
  return {
    decision: 'fail',
    detail: `exit ${exit ?? 'by signal'}; stdout ${JSON.stringify(stdout.slice(0, 200))}; stderr ${JSON.stringify(stderr.slice(0, 400))}`,
  };
}

/** The client takes the text of this answer for the path of the worktree. */
const isNewWorktree = ({ exit, stdout }: HookAnswer, event: string): boolean =>
  event === 'WorktreeCreate' && exit === 0 && isAbsolute(stdout.trim()) && !stdout.trim().includes('\n');

/** @param event its name in the client */
export function outcomeOf(answer: HookAnswer, event: string): HookOutcome {
  if (isNewWorktree(answer, event)) return { decision: 'pass' };
  const silent = answer.stdout.trim() === '';
  const output = silent ? {} : parse(answer.stdout);
  if ((answer.exit !== 0 && answer.exit !== 2) || !isFields(output)) return failed(answer);
  const specific = asFields(output['hookSpecificOutput']);
  const refuses = specific['permissionDecision'] === 'deny' || output['decision'] === 'block';
  const error_type = errorTypeOf(
    textField(specific, 'permissionDecisionReason') || textField(output, 'reason'),
  );
  return {
    decision: answer.exit === 2 || refuses ? 'deny' : 'pass',
    ...(error_type === undefined ? {} : { error_type }),
    ...(textField(specific, 'additionalContext') === '' ? {} : { context: true as const }),
    ...(specific['updatedInput'] === undefined ? {} : { rewritten: true as const }),
  };
}
