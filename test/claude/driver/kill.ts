/** The death of a client. */
import { blockThread } from '../../../src/repo/block-thread.ts';
import { isDead, markProcess } from '../../../src/repo/process.ts';
import type { Session } from './session.ts';

/** Returns when it is dead: the next hook might otherwise find it alive. */
export function kill(agent: Session): void {
  const pid = agent.pid ?? 0;
  const mark = markProcess(pid);
  process.kill(pid, 'SIGKILL');
  while (mark !== null && !isDead(mark)) blockThread(1);
}
