/** A client's file that is entirely guard's, recognised by its name because a client reads every file of that directory. */
import type { OwnFile } from '../own-file.ts';

const NAMES = /[/\\](?:\.github[/\\]hooks[/\\]guard\.json|\.opencode[/\\]plugin[/\\]guard\.js)$/;

export const isWholeFile = (path: string): boolean => NAMES.test(path);

export const WHOLE_FILE: OwnFile = {
  isOurs: (bytes) => bytes.includes('.claude/guard-hook.cjs'),
  called: "guard's hook",
  otherwise: 'Move it elsewhere, then run the command again.',
};
