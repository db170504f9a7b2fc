/** What the detectors share. */
import { readdirSync, unlinkSync } from 'node:fs';
import type { Engines } from '../check.ts';
import type { EngineUnderTest } from '../engine.ts';
import { write } from '../scenarios.ts';

export interface Subject extends Engines {
  /** The engine's bundle, for child processes. */
  readonly file: string;
  readonly dir: string;
}

export type Detector = (subject: Subject) => string[] | Promise<string[]>;

export const SEGMENT = 'ledger-000000000001.jsonl';
export const segments = (dir: string): string[] =>
  readdirSync(dir)
    .filter((name) => name.startsWith('ledger-'))
    .sort();
export const remove = (dir: string, prefix: string): void => {
  for (const name of readdirSync(dir)) if (name.startsWith(prefix)) unlinkSync(`${dir}/${name}`);
};
export const fill = (engine: EngineUnderTest, dir: string, commits: number): void => {
  for (let at = 0; at < commits; at++)
    write(engine, dir, `fill ${at}`, { states: { [`path:${at % 5}`]: at } });
};
/** The code of what the call throws, or "accepted". */
export function outcome(act: () => unknown): string {
  try {
    act();
    return 'accepted';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}
export const expectOutcome = (what: string, wanted: string, act: () => unknown): string[] => {
  const got = outcome(act);
  return got === wanted ? [] : [`${what}: ${got} instead of ${wanted}`];
};
export const next = (engine: EngineUnderTest, dir: string, boot?: string): void =>
  write(engine, dir, 'next', { states: { 'path:next': 1 } }, boot);
