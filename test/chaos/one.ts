/** Performs the act of one scenario in a separate process, and reports when it was acknowledged. */
import { writeSync } from 'node:fs';
import { isGuardError } from '../../src/core/error.ts';
import { adoptCopy } from '../../src/store/embedded/adopt.ts';
import { compactIsDue, compactLedger } from '../../src/store/embedded/compact.ts';
import { openEmbedded } from '../store/plain.ts';
import { repairLedger } from '../../src/store/embedded/repair.ts';
import { verifyLedger } from '../../src/store/embedded/verify.ts';
import { BOOT } from '../store/scratch.ts';
import { SCENARIOS } from './scenarios.ts';

const engine = { openEmbedded, verifyLedger, repairLedger, compactLedger, compactIsDue, adoptCopy };

export function main([dir = '', name = '']: readonly string[]): void {
  const scenario = SCENARIOS.find((one) => one.name === name);
  if (scenario === undefined) throw new Error(`no scenario ${name}`);
  try {
    scenario.act(engine, dir, scenario.boot ?? BOOT);
    writeSync(1, '{"acknowledged":true}\n');
  } catch (error) {
    writeSync(1, `${JSON.stringify({ failed: isGuardError(error) ? error.code : String(error) })}\n`);
  }
}
