/** An agent's log, written by its supervisor in whole lines. Losing a line is better than losing the supervisor. */
import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';

/** At most this much waits for room on a full disk; beyond that the oldest lines are dropped. */
const WAITING_CHARS = 4 * 1024 * 1024;

export interface EventLog {
  /** Never throws: an agent keeps working when the disk is full. */
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

/** Writes all of the text or none of it: half a line would spoil the next one, too. */
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
