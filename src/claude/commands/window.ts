/**
 * The time in which a command runs, with what was on disk before it: opened before, closed after, so that a change can be
 * laid to whoever was at work.
 */
import type { Scene } from '../scene.ts';
import type { Command } from './command.ts';
import { candidatesFor, learnShown } from './seen.ts';
import type { Candidates } from './seen.ts';

export interface Window {
  readonly op: string;
  readonly agent: string;
  readonly since_wall_ms: number;
  /** Files that the line may show. */
  readonly candidates: Candidates;
}

export function openWindow(scene: Scene, command: Command): void {
  candidatesFor(scene, command);
}

/** What the agent is told about what changed meanwhile. */
export function closeWindow(scene: Scene, command: Command): readonly string[] {
  learnShown(scene, command, {});
  return [];
}
