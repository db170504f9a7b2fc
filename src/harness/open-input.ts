/** A client's standard input, kept open while there may be something to send it. */
import type { Writable } from 'node:stream';
import type { Said } from '../core/said.ts';
import type { Progress } from './progress.ts';

export interface OpenInput {
  /** Sends what was not sent before. @param is_enough nothing will follow, so the client ends when it has finished */
  tell(said: readonly Said[], is_enough: boolean): void;
}

export function openInput(stdin: Writable): OpenInput {
  const told = new Set<string>();
  // A client that no longer reads: what it has not received stays recorded.
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
 * Whether its turn has ended: a client whose input stays open never ends itself. Commands in the background wake it even
 * without input; while a subagent works there, someone may still want to send a message.
 */
export const isToldEnough = ({ is_idle, background }: Pick<Progress, 'is_idle' | 'background'>): boolean =>
  is_idle && background.every((kind) => kind === 'local_bash');
