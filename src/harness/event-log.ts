/** An agent's log, written by its supervisor: whole lines, and none of them is worth the supervisor. */
import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';

/** So much waits for room on a full disk; beyond that the oldest lines are gone. */
const WAITING_CHARS = 4 * 1024 * 1024;

export interface EventLog {
  /** Never throws: an agent works on when its disk is full. */
  add(line: string): void;
}

export function openEventLog(file: string): EventLog {
  let waiting: string[] = [];
  let waiting_chars = 0;
  return {
    add(line) {
      waiting.push(`${line}\n`);
      waiting_chars += line.length + 1;
      if (attempt(() => append(file, waiting.join('')), false)) [waiting, waiting_chars] = [[], 0];
      while (waiting_chars > WAITING_CHARS) waiting_chars -= waiting.shift()?.length ?? waiting_chars;
    },
  };
}

/** All of it, or nothing: half a line would spoil the next one, too. */
function append(file: string, text: string): true {
  const fd = openSync(file, 'a', 0o600);
  try {
    const before = fstatSync(fd).size;
    const bytes = Buffer.from(text);
    try {
      for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
    } catch (error) {
      ftruncateSync(fd, before);
      throw error;
    }
    return true;
  } finally {
    closeSync(fd);
  }
}
