import { setTimeout as sleep } from 'node:timers/promises';

import { denialOf, isDenied, lockCommandOf } from './denial.ts';
import type { ToolResult } from './messages.ts';
import { bash, read, say } from './scenario.ts';
import type { Answer, Seen } from './scenario.ts';

/** One write: the tool call, made from the text of the file as the agent last read it. */
export interface Job {
  readonly file: string;
  readonly write: (text: string) => Answer;
}

/** What clients before 2.1.330 say instead of showing a file; then a denial names the way out. */
const UNCHANGED = /unchanged since/i;
const WHOLE = { offset: 1, limit: 2000 };

/** More answers than this means that the agent runs in circles. */
const ANSWERS_MAX = 80;

/**
 * A model that does as it is told: it makes each write, and where guard denies it, does what the denial names (the
 * lock command, the read), then makes the write again. After a write it gives the lock back. `denied` collects the
 * error types it met.
 */
export function diligent(jobs: readonly Job[], denied: string[] = []): (seen: Seen) => Promise<Answer> {
  const todo = [...jobs];
  const texts = new Map<string, string>();
  let doing: 'start' | 'reading' | 'locking' | 'writing' | 'releasing' = 'start';
  let lock = '';
  let answers = 0;

  return async (seen) => {
    answers += 1;
    if (answers > ANSWERS_MAX)
      throw new Error(`${seen.marker} runs in circles: ${JSON.stringify(seen.results)}`);
    const job = todo[0];
    if (job === undefined) return say('Done.');
    const result = seen.results.at(-1);
    // Of `lock try`: 0, it got all it asked for; 1, not all; 2, guard failed.
    if (doing === 'locking' && result?.text.startsWith('Exit code 2') === true) throw new Error(result.text);
    if (doing === 'locking' && result?.is_error !== false) {
      await sleep(40);
      return bash(lock);
    }
    if (doing === 'locking') return reading(job);
    if (doing === 'reading' && result !== undefined && UNCHANGED.test(result.text))
      return read(job.file, WHOLE);
    if (doing === 'reading') texts.set(job.file, textOf(result));
    if (doing === 'writing' && isDenied(result)) {
      const denial = denialOf(result);
      denied.push(denial.error_type);
      if (!(denial.details.next ?? []).some((step) => / lock /.test(step))) return reading(job);
      lock = lockCommandOf(denial).replace(' lock wait ', ' lock try ');
      doing = 'locking';
      return bash(lock);
    }
    if (doing === 'writing' && result?.is_error !== true) return releasing();
    if (doing === 'releasing') {
      todo.shift();
      const next = todo[0];
      return next === undefined ? say('Done.') : writing(next);
    }
    return writing(job);
  };

  function reading(job: Job): Answer {
    doing = 'reading';
    return read(job.file);
  }

  function writing(job: Job): Answer {
    doing = 'writing';
    return job.write(texts.get(job.file) ?? '');
  }

  function releasing(): Answer {
    doing = 'releasing';
    return bash(lock.replace(' lock try ', ' lock release '));
  }
}

/** The text of a file from what Read gives to the model: `<number>\t<line>`. */
export function textOf(result: ToolResult | undefined): string {
  if (result === undefined || result.is_error || result.text.startsWith('<system-reminder>')) return '';
  return result.text
    .replace(/\n\n<system-reminder>[\s\S]*$/, '')
    .split('\n')
    .map((line) => line.replace(/^\d+\t/, ''))
    .join('\n');
}
