/** The client's permission modes. In each of them any command runs unless a hook refuses it. */
import { requiredOrSkipped } from '../../required.ts';
import { guarded, type Setup } from './guarded.ts';
import type { Files, Scratch } from './scratch.ts';
import { situation, situationWith, type Stage } from './stage.ts';

const ALL = ['default', 'acceptEdits', 'bypassPermissions', 'auto'] as const;
export type Mode = (typeof ALL)[number];

/** Two modes unless GUARD_E2E_MODES=all: each costs 35 s, and continuous integration has 20 minutes. */
export const MODES: readonly Mode[] =
  process.env['GUARD_E2E_MODES'] === 'all' ? ALL : ['default', 'bypassPermissions'];

export const situationIn = (mode: Mode): typeof situation =>
  mode === 'auto' ? situationWith('auto_mode') : situation;

const ALLOW = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}';

/**
 * In auto mode the client asks a judge, which does not exist offline; a hook of the user replaces it. guard's refusal
 * takes precedence over both.
 */
export function guardedIn(mode: Mode, stage: Stage, files: Files, config?: object): Scratch {
  const hooks = {
    PreToolUse: [{ matcher: 'Bash|Agent', hooks: [{ type: 'command', command: `echo '${ALLOW}'` }] }],
  };
  const setup: Setup = { on_path: true, allow: ['Bash'], ...(config === undefined ? {} : { config }) };
  return guarded(stage, files, mode === 'auto' ? { ...setup, hooks } : setup);
}

/** Whether commands are fenced here. If not, this reports it, and hidden writes are tried only without a fence. */
export function isFenced(scratch: Scratch): boolean {
  const fenced = /^ok +fence /m.test(scratch.guard('doctor').stdout);
  if (!fenced) requiredOrSkipped('fence, for hidden writes');
  return fenced;
}
