/** What a server's error says about the server, and what that means for what was asked of it. */
import { expect, test } from 'vitest';
import { engineFailure } from '../../../src/store/postgres/engine-failure.ts';

const codeOf = (code: string): string =>
  engineFailure(Object.assign(new Error('no'), { severity: 'ERROR', code }), { host: 'db', port: 1 }, 15_000)
    .code;

test.each([
  ['53100', 'GUARD_ERR_ENGINE_AWAY', 'its disk is full'],
  ['53200', 'GUARD_ERR_ENGINE_AWAY', 'it has no memory left'],
  ['53400', 'GUARD_ERR_ENGINE_AWAY', 'a limit of its configuration is reached'],
  ['57P01', 'GUARD_ERR_ENGINE_AWAY', 'it is shut down'],
  ['58030', 'GUARD_ERR_ENGINE_AWAY', 'it cannot read its files'],
  ['XX000', 'GUARD_ERR_ENGINE_AWAY', 'it has a bug'],
  ['XX001', 'GUARD_ERR_ENGINE_AWAY', 'its data is damaged'],
  ['57014', 'GUARD_ERR_BUSY', 'it cancelled the query'],
  ['55P03', 'GUARD_ERR_BUSY', 'a lock is held'],
  ['28P01', 'GUARD_ERR_ENGINE_ACCESS', 'the password is wrong'],
  ['42883', 'GUARD_ERR_ENGINE_VERSION', 'it lacks a function'],
  ['54000', 'GUARD_ERR_INTERNAL', 'the query is too large'],
  ['22P02', 'GUARD_ERR_INTERNAL', 'the query is not valid'],
])('%s means %s: %s', (state, code) => {
  expect(codeOf(state)).toBe(code);
});
