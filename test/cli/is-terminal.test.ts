import { closeSync, openSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isTerminal } from '../../src/cli/is-terminal.ts';

function asked(path: string): boolean {
  const fd = openSync(path, 'r');
  try {
    return isTerminal(fd);
  } finally {
    closeSync(fd);
  }
}

describe('a standard stream', () => {
  it('is no terminal where it is a file, the device that swallows everything, or closed', () => {
    expect([asked(import.meta.filename), asked('/dev/null'), isTerminal(12_345)]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
