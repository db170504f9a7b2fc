/** Which Claude Code is installed, and what can be relied on in that version. */
import { spawnSync } from 'node:child_process';
import { isBefore, runningVersion } from '../settings/version.ts';
import type { EventSet } from './entries.ts';
import { findOnPath } from './find-on-path.ts';
import type { Environment } from '../repo/user-dirs.ts';

export interface Client {
  /** `2.1.330`; `null` if no client was found, or it did not say. */
  readonly version: string | null;
  /** Source of the version. */
  readonly from: 'claude --version' | 'AI_AGENT' | 'nowhere';
}

/** A cold client that is not a native binary takes a second; a hanging one must not hang guard. */
const TIMEOUT_MS = 10_000;

export function findClient(env: Environment): Client {
  const running = runningVersion(env);
  if (running !== null) return { version: running, from: 'AI_AGENT' };
  const program = findOnPath('claude', env['PATH']);
  if (program === null) return { version: null, from: 'nowhere' };
  const run = spawnSync(program, ['--version'], {
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const version = /(\d+\.\d+\.\d+)/.exec(run.stdout)?.[1];
  return version === undefined ? { version: null, from: 'nowhere' } : { version, from: 'claude --version' };
}

/** Also true if the version is unknown: the current client is the likely one. */
export function isAtLeast(client: Client, wanted: string): boolean {
  return client.version === null || !isBefore(client.version, wanted);
}

/**
 * Which events may be named in a settings file. An unknown name makes an old client drop the whole file; a missing one
 * costs a new client a few promises. If the version is unknown, only names that every client knows are added, and what an
 * earlier `guard init` knew to add stays.
 */
export function eventsFor(client: Client, hasRecent: () => boolean): EventSet {
  const knowsAll = client.version === null ? hasRecent() : isAtLeast(client, TOLERATES_UNKNOWN_EVENTS);
  return knowsAll ? 'all' : 'known';
}

/** From here on an unknown event name is ignored; up to 2.1.100 it voids the whole settings file. */
export const TOLERATES_UNKNOWN_EVENTS = '2.1.200';
