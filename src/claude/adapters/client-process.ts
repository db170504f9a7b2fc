/** Finds the client's own process: the ancestor that started the hook, skipping shells, which live only as long as the hook. */
import { readFileSync } from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import type { ProcessMark } from '../../core/types.ts';
import { markProcess } from '../../repo/process.ts';

/** The client may start the hook through a shell that starts another shell. */
const SHELLS_MAX = 3;
/**
 * Process names of the clients and of the runtimes they run on. Any other ancestor (an unknown shell, a wrapper) may exit with the hook, and an
 * agent whose process is gone loses its leases.
 */
const CLIENT = /^(?:codex|node|MainThread|gemini|qwen|copilot|opencode|bun)/;
const SHELL = /^(?:ba|da|z|k|a|fi|tc|c)?sh$|^(?:env|timeout|perl|busybox)$/;

/** Null if the process is not known; its leases then end only by their time. */
export function clientProcess(pid: number = process.ppid): ProcessMark | null {
  let at = pid;
  for (let shells = 0; shells <= SHELLS_MAX; shells++) {
    const { name, parent } = look(at);
    if (!SHELL.test(name)) return CLIENT.test(name) ? markProcess(at) : null;
    at = parent;
  }
  return null;
}

/** Parses proc_pid_stat(5): the name in parentheses, the state, the parent. */
function look(pid: number): { readonly name: string; readonly parent: number } {
  const text = attempt(() => readFileSync(`/proc/${pid}/stat`, 'latin1'), '');
  const [, name = '', parent = '0'] = /^\d+ \(([^]*)\) \w (\d+)/.exec(text) ?? [];
  return { name, parent: Number(parent) };
}
