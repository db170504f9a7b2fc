/** The launcher that a project install commits: a copy of hooks/guard-hook.cjs. */
import type { OwnFile } from './own-file.ts';

const FIRST_LINE = "// Runs guard's hook.";

/** An older launcher that was there before is restored; a file that is not a launcher stays. */
export const LAUNCHER_FILE: OwnFile = {
  isOurs: (bytes) => bytes.subarray(0, FIRST_LINE.length).toString() === FIRST_LINE,
  called: "guard's launcher",
  otherwise: 'Move it elsewhere, or use another scope: guard init --scope local',
};
