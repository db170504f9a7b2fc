/** Text in a programming language, scanned for literal writes. */
import type { Call, Reading, Run } from '../call.ts';

export type Code = Extract<Run, { kind: 'code' }>;

/** `call`: the command that runs the code; its directory is where relative paths begin. */
export function readCode(_code: Code, _call: Call): Reading {
  return {};
}
