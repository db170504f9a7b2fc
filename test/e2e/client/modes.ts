/** The client's permission modes, in each of which any command runs unless a hook refuses it. */
import { requiredOrSkipped } from '../../required.ts';
import { guarded, type Setup } from './guarded.ts';
import type { Files, Scratch } from './scratch.ts';
import { situation, situationWith, type Stage } from './stage.ts';

const ALL = ['default', 'acceptEdits', 'bypassPermissions', 'auto'] as const;
export type Mode = (typeof ALL)[number];

/** Two of them unless GUARD_E2E_MODES=all: each costs 35 s, and continuous integration has 20 minutes. */
export const MODES: readonly Mode[] =
  process.env['GUARD_E2E_MODES'] === 'all' ? ALL : ['default', 'bypassPermissions'];

export const situationIn = (mode: Mode): typeof situation =>
  mode === 'auto' ? situationWith('auto_mode') : situation;

const ALLOW = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}';

/**
 * In mode auto the client asks a judge that is not there offline, whatever the rules allow; a hook of the user's own stands for
 * it. guard's refusal goes before both.
 */
export function guardedIn(mode: Mode, stage: Stage, files: Files, config?: object): Scratch {
  const hooks = {
    PreToolUse: [{ matcher: 'Bash|Agent', hooks: [{ type: 'command', command: `echo '${ALLOW}'` }] }],
  };
  const setup: Setup = { on_path: true, allow: ['Bash'], ...(config === undefined ? {} : { config }) };
  return guarded(stage, files, mode === 'auto' ? { ...setup, hooks } : setup);
}

/** Whether commands are fenced here. Where not, it says so: hidden writes are then played without a fence alone. */
export function isFenced(scratch: Scratch): boolean {
  const fenced = /^ok +fence /m.test(scratch.guard('doctor').stdout);
  if (!fenced) requiredOrSkipped('fence, for hidden writes');
  return fenced;
}
