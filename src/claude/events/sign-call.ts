/** A hook's signature for the caller of one of guard's tools: valid once, for this call, tool and agent (src/cli/signed-call.ts). */
import type { Now } from '../../core/types.ts';
import { readKey } from '../../repo/key.ts';
import { makeKey } from '../../repo/make-key.ts';
import { seal } from '../../repo/seal.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface SignedCall {
  readonly agent: string;
  /** The tool's name on its server. */
  readonly tool: string;
  /** The client's id; no two calls have the same. */
  readonly id: string;
}

/** `<agent> <call> <wall ms> <seal>`; null if there is no key and none can be created. */
export function signed(call: SignedCall, { wall_ms }: Pick<Now, 'wall_ms'>, env: Environment): string | null {
  const key = readKey(env) ?? makeKey(env);
  if (key === null) return null;
  const id = call.id.replace(/[^\w.:-]/g, '-').slice(0, 200) || `at-${wall_ms}-${process.pid}`;
  return [call.agent, id, wall_ms, callSeal(key, { ...call, id }, wall_ms)].join(' ');
}

export const callSeal = (key: Uint8Array, { agent, tool, id }: SignedCall, wall_ms: number): string =>
  seal(key, 'call', agent, tool, id, String(wall_ms));

/** `mcp__guard__lock_try` -> `lock_try`. */
export const toolIn = (name: string): string => name.split('__').at(-1) ?? '';
