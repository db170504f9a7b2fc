/** A client's standard input, open as long as there may be something to say to it. */
import type { Writable } from 'node:stream';
import type { Said } from '../core/said.ts';
import type { Progress } from './progress.ts';

export interface OpenInput {
  /** Whatever of it was not told before. @param is_enough nothing comes after it: the client ends when it is done with it */
  tell(said: readonly Said[], is_enough: boolean): void;
}

export function openInput(stdin: Writable): OpenInput {
  const told = new Set<string>();
  // A client that does not read any more: what it has not heard stays on record.
  stdin.on('error', () => undefined);
  return {
    tell(said, is_enough) {
      for (const one of said) {
        if (told.has(one.id) || !stdin.writable) continue;
        told.add(one.id);
        stdin.write(lineOf(one));
      }
      if (is_enough && stdin.writable) stdin.end();
    },
  };
}

const lineOf = ({ id, by, text }: Said): string => {
  const content = by === null ? text : `Message from ${by}:\n\n${text}`;
  return `${JSON.stringify({ type: 'user', uuid: id, message: { role: 'user', content } })}\n`;
};

/**
 * Its turn is over, and a client whose input stays open never ends by itself. Commands in the background wake it also without;
 * while a subagent works there, somebody may still want to say something.
 */
export const isToldEnough = ({ is_idle, background }: Pick<Progress, 'is_idle' | 'background'>): boolean =>
  is_idle && background.every((kind) => kind === 'local_bash');
