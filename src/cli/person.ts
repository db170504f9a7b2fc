import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { attempt } from '../core/attempt.ts';
import type { AgentId } from '../core/types.ts';
import type { Environment } from '../repo/user-dirs.ts';

/** `<user>@<host>:<terminal>`: a person's terminals are separate agents; all commands in one terminal are the same agent. */
export function personId(env: Environment): AgentId {
  return [`${userName()}@${hostname()}`, terminal(env)].map(plain).join(':');
}

/** A container may run under a uid without a name. */
const userName = (): string => attempt(() => userInfo().username, `uid${process.getuid?.() ?? ''}`);

/**
 * `pts-3`; if /proc does not say, what terminals of macOS and Windows call themselves; without a terminal (cron, CI) the
 * login session, which the commands of one script share: `sid-4711`.
 */
function terminal(env: Environment): string {
  for (const fd of [0, 1, 2]) {
    const device = deviceOf(fd);
    if (device !== null) return device;
  }
  return env['TERM_SESSION_ID'] ?? env['WT_SESSION'] ?? sessionId() ?? 'none';
}

const deviceOf = (fd: number): string | null =>
  attempt(() => {
    const device = /^\/dev\/((?:pts\/|tty).+)$/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[1];
    return device ?? null;
  }, null);

/** Field 6 of proc_pid_stat(5); field 2, the name, may contain blanks and parentheses. */
const sessionId = (): string | null =>
  attempt(() => {
    const stat = readFileSync('/proc/self/stat', 'latin1');
    const session = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3];
    return session === undefined ? null : `sid-${session}`;
  }, null);

const plain = (text: string): string => text.replace(/[^\w@.+-]/g, '-');
