/** Settles a program, as one of several processes that do so simultaneously. */
import { settleProgram } from '../../../src/install/program/settle.ts';

export function main([root = '', home = '', now_ms = '0']: readonly string[]): void {
  process.stdout.write(`${JSON.stringify(settleProgram(root, home, Number(now_ms)))}\n`);
}
