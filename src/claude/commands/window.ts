/**
 * The time in which a command runs, with what was on disk before it: opened before, closed after, so that a change can be
 * laid to whoever was at work.
 */
import fs from 'node:fs';
import { nameHash } from '../../repo/name-hash.ts';
import { textOf } from '../../repo/small-file.ts';
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
  const { home, input } = scene;
  const window = { candidates: candidatesFor(scene, command) };
  if (scene.dry || Object.keys(window.candidates).length === 0) return;
  fs.mkdirSync(`${home.state_dir}/windows`, { recursive: true, mode: 0o700 });
  fs.writeFileSync(`${home.state_dir}/windows/${nameHash(input.tool_use_id)}.json`, JSON.stringify(window), {
    mode: 0o600,
  });
}

/** What the agent is told about what changed meanwhile. */
export function closeWindow(scene: Scene, command: Command): readonly string[] {
  const file = `${scene.home.state_dir}/windows/${nameHash(scene.input.tool_use_id)}.json`;
  const window = JSON.parse(textOf(file, 1 << 20) ?? '{"candidates":{}}') as Pick<Window, 'candidates'>;
  learnShown(scene, command, window.candidates);
  return [];
}
