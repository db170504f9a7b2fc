/** Recorded events of other clients, rewritten to come from a scratch repository. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE } from '../driver.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface Recorded {
  readonly event: string;
  readonly stdin: Fields;
}

export const HOSTS = ['codex', 'gemini', 'qwen', 'copilot', 'opencode'] as const;

/** @param root replaces the recording's `/repo` */
export function recorded(name: string, root = '/repo'): Recorded[] {
  const text = readFileSync(join(PACKAGE, 'test/fixtures/hosts', `${name}.jsonl`), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line.replaceAll('/repo', root)) as Recorded);
}
