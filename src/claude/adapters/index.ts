/** The clients other than Claude Code that guard has a hook for, one row each. */
import type { Adapter } from './adapter.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';
import { qwen } from './qwen.ts';

export const ADAPTERS = { codex, gemini, qwen, copilot, opencode } satisfies Readonly<
  Record<string, Adapter>
>;

export type HostName = keyof typeof ADAPTERS;

export const adapterOf = (name: string): readonly [HostName, Adapter] | undefined =>
  Object.entries(ADAPTERS).find((row): row is [HostName, Adapter] => row[0] === name);
