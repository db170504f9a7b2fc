/**
 * A hook's answer. No objection means no output: printing "allow" would skip the user's own permission prompt. A denial
 * is exit code 2, one JSON object on stdout and its reason on stderr. This is the one form that refuses, with its reason,
 * on Claude Code, Codex, Gemini CLI, Qwen Code and Copilot CLI's own hooks (docs/hosts.md).
 */
import { type Denial, denialOf, type Objection } from '../core/denial.ts';
import { plain } from '../core/plain.ts';

export interface HookOutput {
  readonly exit: 0 | 2;
  readonly stdout: string;
  readonly stderr: string;
  /**
   * The event ran what most events of its kind run: a command was checked completely, a write begun or ended, a Read learned.
   * Its compiled form serves the next ones (entry.ts). If guard is off, or has nothing to do with the file, an event runs less.
   */
  readonly is_typical?: true;
}

export const SILENT: HookOutput = { exit: 0, stdout: '', stderr: '' };

/** Nothing to say about a typical event. */
export const DONE: HookOutput = { ...SILENT, is_typical: true };

/** `permissionDecisionReason` is exactly one JSON object, so that a program can parse it. */
export function deny(denial: Denial): HookOutput {
  const reason = JSON.stringify(denial);
  const flat = { permissionDecision: 'deny', permissionDecisionReason: reason };
  const own = { hookEventName: 'PreToolUse', ...flat };
  const stdout = `${JSON.stringify({ decision: 'block', reason, ...flat, hookSpecificOutput: own })}\n`;
  return { exit: 2, stdout, stderr: `${plain(reason)}\n` };
}

/** Denies with the most urgent objection; silent if there is none. */
export function denyFor(objections: readonly Objection[]): HookOutput {
  const denial = denialOf(objections);
  return denial === null ? SILENT : deny(denial);
}

/** The client moves longer text into a file and shows a preview (above 10,000 characters, measured). */
export const CONTEXT_LIMIT_CHARS = 9_000;

export function context(event: string, notes: readonly string[]): HookOutput {
  const text = notes.filter((note) => note !== '').join('\n\n');
  if (text === '') return SILENT;
  return { exit: 0, stdout: say({ hookEventName: event, additionalContext: clip(text) }), stderr: '' };
}

export function rewriteInput(updatedInput: Readonly<Record<string, unknown>>): HookOutput {
  return { exit: 0, stdout: say({ hookEventName: 'PreToolUse', updatedInput }), stderr: '' };
}

/** Refuses a settings change. */
export function block(reason: string): HookOutput {
  return { exit: 2, stdout: `${JSON.stringify({ decision: 'block', reason })}\n`, stderr: line(reason) };
}

/** Reports guard's own failure in an event that must not be stopped by it. */
export const complain = (message: string): HookOutput => ({ exit: 0, stdout: '', stderr: line(message) });

/** Always one line, whatever characters a file name contains. */
const line = (text: string): string => `guard: ${plain(text)}\n`;

const say = (hookSpecificOutput: object): string => `${JSON.stringify({ hookSpecificOutput })}\n`;

const clip = (text: string): string =>
  text.length <= CONTEXT_LIMIT_CHARS ? text : `${text.slice(0, CONTEXT_LIMIT_CHARS)}\n[cut]`;
