/** Keeps ledger and contents short without anybody waiting for it: looked at when a session starts. */
import { isSweepDue } from '../../contents/due.ts';
import { compactIsDue } from '../../store/upkeep.ts';
import type { HookSpace } from '../context.ts';
import { startTidy } from '../start-tidy.ts';

export function tidyIfDue(space: HookSpace, wall_ms: number): void {
  if (compactIsDue(space.state_dir) || isSweepDue(space.state_dir, wall_ms)) startTidy(space, '--if-due');
}
