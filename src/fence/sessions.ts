/** Which sessions' commands are fenced: only a session that started with guard has the preamble. */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';
import { fenceDir, type HelperKind, replace, textOrEmpty } from './site.ts';

export type SessionFence =
  { readonly by: HelperKind } | { readonly by: null; readonly why: string; readonly remedy: string };

const forDir = (state_dir: string): string => `${fenceDir(state_dir)}/for`;
const fileOf = (state_dir: string, session: string): string =>
  `${forDir(state_dir)}/${session.replace(/[^\w.-]/g, '_').slice(0, 100)}`;

export function noteSession(state_dir: string, session: string, fence: SessionFence): void {
  mkdirSync(forDir(state_dir), { recursive: true, mode: 0o700 });
  replace(fileOf(state_dir, session), `${JSON.stringify(fence)}\n`);
}

export const FENCE_UNKNOWN: SessionFence = {
  by: null,
  why: 'this session started without guard',
  remedy: 'Start the client again (claude --continue keeps the conversation).',
};

export const fenceOfSession = (state_dir: string, session: string): SessionFence =>
  attempt(() => JSON.parse(textOrEmpty(fileOf(state_dir, session))) as SessionFence, FENCE_UNKNOWN);

const KEPT_MS = 30 * 24 * 3_600_000;

/** Entries that are missing, or disappear meanwhile, need no sweeping. */
export const sweepSessions = (state_dir: string, wall_ms: number): void =>
  attempt(() => {
    for (const name of readdirSync(forDir(state_dir))) {
      const file = `${forDir(state_dir)}/${name}`;
      if (wall_ms - statSync(file).mtimeMs > KEPT_MS) rmSync(file, { force: true });
    }
  }, undefined);
