/** What a command showed its agent: a file counts as read where its bytes stand in what the model was shown. */
import type { Digest } from '../../core/types.ts';
import type { Scene } from '../scene.ts';
import type { Command } from './command.ts';

/** By absolute path: files that the line may show, as they were before it ran. */
export type Candidates = Readonly<Record<string, Digest>>;

export function candidatesFor(_scene: Scene, _command: Command): Candidates {
  return {};
}

/** `before`: what `candidatesFor` found. */
export function learnShown(_scene: Scene, _command: Command, _before: Candidates): void {
  return;
}
