import { expect, test } from 'vitest';
import { readLine } from '../../src/shell/read-line.ts';
import { TYPICAL_LINES } from '../../src/shell/warm.ts';

const look = { kind: () => null, list: () => [], text: () => null };

test.each(TYPICAL_LINES)('%s is read, so that its code is in the compiled form', (line) => {
  const { targets, scopes, git, unresolved } = readLine(line, { cwd: '/', home: '/', env: {}, look });
  expect(unresolved.filter(({ reason }) => reason === 'syntax' || reason === 'limit')).toEqual([]);
  expect(targets.length + scopes.length + git.length + unresolved.length).toBeGreaterThan(0);
});
