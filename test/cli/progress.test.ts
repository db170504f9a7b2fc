/** Each command whose work takes long on a long history draws its progress for a person, and removes it when it has finished. */
import { join } from 'node:path';
import { createColors } from 'picocolors';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { oneAgent, PACKAGE } from '../claude/driver.ts';
import { fillSegment } from './fill-segment.ts';

const SESSION = join(PACKAGE, 'test/replay/sessions/torn-read.jsonl');
const TRANSCRIPTS = join(PACKAGE, 'test/fixtures/transcripts/two-sessions');

const LONG: readonly (readonly string[])[] = [
  ['verify'],
  ['compact', '--all'],
  ['doctor'],
  ['replay', SESSION],
  ['simulate', TRANSCRIPTS],
];

/** What a terminal would get on standard error. */
async function saidBy(argv: readonly string[], isWatched: boolean): Promise<string> {
  const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' } });
  agent.lock('a.txt');
  fillSegment(at);
  let said = '';
  const shell = {
    ...{
      cwd: at.root,
      env: at.env,
      isInteractive: false,
      isWatched,
      color: createColors(false),
      exitCode: 0 as const,
    },
    ...{ out: () => undefined, json: () => undefined, err: (text: string) => void (said += text) },
  };
  await runProgram(argv, shell, '0');
  return said;
}

describe('a command that may take long', () => {
  it.each(LONG)('draws its progress on a terminal: guard %s', { timeout: 60_000 }, async (...argv) => {
    const said = await saidBy(argv, true);
    expect(said).toMatch(/\r[█░]{30} +\d+ %/);
    // Nothing of it stays.
    // eslint-disable-next-line no-control-regex -- the line is erased
    expect(said).toMatch(/\r\u001b\[K(?![^]*[█░])/);
  });

  it('draws none in a pipe, or beside JSON', async () => {
    expect(await saidBy(['verify'], false)).not.toMatch(/[█░]/);
    expect(await saidBy(['verify', '--json'], true)).not.toMatch(/[█░]/);
  });
});
