/** The supervisor starts from V8's compiled form, which an earlier one leaves after it has worked for a moment. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PACKAGE } from '../claude/driver/process.ts';
import { harness, until } from './harness.ts';

const DIST = join(PACKAGE, 'dist');
const forms = (): string[] =>
  readdirSync(DIST).filter((name) => /^supervise-main\.cjs\.[^.]+-v[\d.]+-\w+\.compiled$/.test(name));

it('a supervisor leaves its compiled form while it is at work, and the next one works from it', async () => {
  for (const name of forms()) rmSync(join(DIST, name), { force: true });
  const at = harness();
  const first = at.draft('dev', ['sleep 20000', 'result one']);
  await until(() => forms().length === 1, 15_000);
  expect(at.list()).toMatchObject([{ id: first, status: 'running' }]);
  const second = at.await(at.draft('dev', ['result two']));
  expect(second).toMatchObject({ status: 'completed', message: 'two' });
  expect(forms()).toHaveLength(1);
  at.at.guard('agent', 'kill', first);
});
