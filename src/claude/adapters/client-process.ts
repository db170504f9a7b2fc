/** The client's own process: whoever started the hook, shells left out, which run no longer than the hook does. */
import { readFileSync } from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import type { ProcessMark } from '../../core/types.ts';
import { markProcess } from '../../repo/process.ts';

/** The client may start the hook by a shell that starts another one. */
const SHELLS_MAX = 3;
/**
 * What the clients call themselves, and what runs them. Whoever else started the hook (a shell of another name, a wrapper) may be gone when the
 * hook is, and an agent whose process is gone loses its leases.
 */
const CLIENT = /^(?:codex|node|MainThread|gemini|qwen|copilot|opencode|bun)/;
const SHELL = /^(?:ba|da|z|k|a|fi|tc|c)?sh$|^(?:env|timeout|perl|busybox)$/;

/** Null: not known, and then only its time ends a lease. */
export function clientProcess(pid: number = process.ppid): ProcessMark | null {
  let at = pid;
  for (let shells = 0; shells <= SHELLS_MAX; shells++) {
    const { name, parent } = look(at);
    if (!SHELL.test(name)) return CLIENT.test(name) ? markProcess(at) : null;
    at = parent;
  }
  return null;
}

/** proc_pid_stat(5): name in brackets, state, parent. */
function look(pid: number): { readonly name: string; readonly parent: number } {
  const text = attempt(() => readFileSync(`/proc/${pid}/stat`, 'latin1'), '');
  const [, name = '', parent = '0'] = /^\d+ \(([^]*)\) \w (\d+)/.exec(text) ?? [];
  return { name, parent: Number(parent) };
}
