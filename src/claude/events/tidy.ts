/** Keeps ledger and contents short without anybody waiting for it: looked at when a session starts. */
import { isSweepDue } from '../../contents/due.ts';
import { compactIsDue } from '../../store/upkeep.ts';
import type { Place } from '../scene.ts';
import { startTidy } from '../start-tidy.ts';

export function tidyIfDue(place: Place, wall_ms: number): void {
  if (compactIsDue(place.state_dir) || isSweepDue(place.state_dir, wall_ms)) startTidy(place, '--if-due');
}
