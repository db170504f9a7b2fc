import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { detectEncoding, formOf, isLossy } from '../../../src/claude/text/encoding.ts';
import { originalMatches, verifyWrite } from '../../../src/claude/text/expected.ts';
import { compareShown } from '../../../src/claude/text/shown.ts';
import { OLD_VERSIONS, oldCalls } from './recorded.ts';

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const nothing = Buffer.alloc(0);

/** It answers offset -1 with the last line and startLine -1, which counts as torn: the file is read again. */
const TORN = ['2.0.77 reads: offset-minus-1'];

describe.each(OLD_VERSIONS)('client %s', (version) => {
  const calls = oldCalls(version).map((call) => [call.name, call] as const);
  const reads = calls.filter(([name, { tool }]) => tool === 'Read' && !TORN.includes(name));
  const writes = calls.filter(([, { tool }]) => tool !== 'Read');

  test.each(reads)('%s shows what is on disk', (_name, { before, response }) => {
    const disk = before ?? nothing;
    const { verdict } = compareShown(response, disk);
    // These versions read UTF-16LE as broken UTF-8.
    const isText = detectEncoding(disk).encoding === 'utf8' || response['type'] !== 'text';
    expect(isText ? ['whole', 'part'] : ['unsure']).toContain(verdict);
    expect(compareShown(response, Buffer.concat([disk, Buffer.from('x\ny\n')])).verdict).toMatch(
      /different|unsure/,
    );
  });

  test.each(writes)('%s leaves what it says', (_name, call) => {
    const { before, after, response } = call;
    const isFailed = typeof response['error'] === 'string' && response['error'] !== '';
    expect(verifyWrite(call, after).written).toBe(isFailed ? 'unknown' : 'as_expected');
    const longer = Buffer.concat([after ?? nothing, Buffer.from('xy')]);
    expect(verifyWrite(call, longer).written).toBe(isFailed ? 'unknown' : 'differs');
    const form = before === null ? undefined : formOf(before);
    const { original } = verifyWrite(call, after);
    const isProvable = !isFailed && (form === undefined || !isLossy(form));
    expect(originalMatches(original, before && digest(before), digest, form)).toBe(
      isProvable ? 'same' : 'unverified',
    );
  });

  test('was recorded doing enough', () => {
    expect(reads.length).toBeGreaterThan(40);
    expect(writes.length).toBeGreaterThan(70);
  });
});
