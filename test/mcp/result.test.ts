import { describe, expect, it } from 'vitest';
import { resultOfError } from '../../src/mcp/result.ts';
import { wrong } from '../../src/operations/read-input.ts';

const said = (error: unknown) => {
  const complaints: string[] = [];
  const { isError, content } = resultOfError(error, (text) => void complaints.push(text));
  const [block] = content as unknown as readonly [{ readonly text: string }];
  return { isError, told: JSON.parse(block.text) as object, complaints };
};

describe('a call that failed', () => {
  it('for a reason that nobody expected has the one envelope, and says nothing of itself to the client', () => {
    const { isError, told, complaints } = said(new Error('secret in /home/x'));
    expect(isError).toBe(true);
    expect(told).toMatchObject({
      error: { code: 'GUARD_ERR_INTERNAL', message: 'guard has a bug.', facts: {} },
    });
    expect(JSON.stringify(told)).not.toContain('secret');
    expect(complaints.join('')).toContain('secret in /home/x');
  });

  it('for a reason that is known says it, and nobody else is bothered', () => {
    const { told, complaints } = said(wrong('file', 'file is required.'));
    expect(told).toMatchObject({ error: { code: 'GUARD_ERR_USAGE', facts: { field: 'file' } } });
    expect(complaints).toEqual([]);
  });
});
