/**
 * What a hook answers. No objection is no output: printing "allow" would skip the user's own permission
 * prompt. A denial is exit code 2, one JSON object on stdout and its reason on stderr: in the one form that refuses, with
 * its reason, on Claude Code, Codex, Gemini CLI, Qwen Code and Copilot CLI's own hooks (docs/hosts.md).
 */
import { type Denial, denialOf, type Objection } from '../core/denial.ts';
import { plain } from '../core/plain.ts';

export interface HookOutput {
  readonly exit: 0 | 2;
  readonly stdout: string;
  readonly stderr: string;
  /** A command that was judged to its end: it used most of the code that commands need (entry.ts). */
  readonly is_typical?: true;
}

export const SILENT: HookOutput = { exit: 0, stdout: '', stderr: '' };

/** `permissionDecisionReason` is exactly one JSON object, so that a program can parse it. */
export function deny(denial: Denial): HookOutput {
  const reason = JSON.stringify(denial);
  const flat = { permissionDecision: 'deny', permissionDecisionReason: reason };
  const own = { hookEventName: 'PreToolUse', ...flat };
  const stdout = `${JSON.stringify({ decision: 'block', reason, ...flat, hookSpecificOutput: own })}\n`;
  return { exit: 2, stdout, stderr: `${plain(reason)}\n` };
}

/** By the most urgent of the objections; silent where there is none. */
export function denyFor(objections: readonly Objection[]): HookOutput {
  const denial = denialOf(objections);
  return denial === null ? SILENT : deny(denial);
}

/** More than this the client moves into a file behind a preview (10,000 characters, measured). */
export const CONTEXT_LIMIT_CHARS = 9_000;

export function context(event: string, notes: readonly string[]): HookOutput {
  const text = notes.filter((note) => note !== '').join('\n\n');
  if (text === '') return SILENT;
  return { exit: 0, stdout: say({ hookEventName: event, additionalContext: clip(text) }), stderr: '' };
}

export function rewriteInput(updatedInput: Readonly<Record<string, unknown>>): HookOutput {
  return { exit: 0, stdout: say({ hookEventName: 'PreToolUse', updatedInput }), stderr: '' };
}

/** A refused settings change. */
export function block(reason: string): HookOutput {
  return { exit: 2, stdout: `${JSON.stringify({ decision: 'block', reason })}\n`, stderr: line(reason) };
}

/** guard's own failure where nothing may be stopped by it. */
export const complain = (message: string): HookOutput => ({ exit: 0, stdout: '', stderr: line(message) });

/** One line, whatever a file is called. */
const line = (text: string): string => `guard: ${plain(text)}\n`;

const say = (hookSpecificOutput: object): string => `${JSON.stringify({ hookSpecificOutput })}\n`;

const clip = (text: string): string =>
  text.length <= CONTEXT_LIMIT_CHARS ? text : `${text.slice(0, CONTEXT_LIMIT_CHARS)}\n[cut]`;
