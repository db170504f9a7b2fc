import { expect, test } from 'vitest';
import { rings } from '../../../src/store/postgres/rings.ts';
import { body } from '../contract/worker.ts';

const QUEUED = { 'path:a': { holds: [], queue: [{ agent: 'b' }] } };
const ALONE = { 'path:a': { holds: [], queue: [] } };

test.each([
  ['a released path that somebody queues for', body(QUEUED, { type: 'release' }), true],
  ['one that is taken away from its holder', body(QUEUED, { type: 'revoke' }), true],
  ['a released path that nobody wants', body(ALONE, { type: 'release' }), false],
  ['a path that is gone', body({ 'path:a': null }, { type: 'release' }), false],
  ['somebody who comes to queue', body(QUEUED, { type: 'wait' }), false],
  ['what only looks like one', body({ 'topic:a': { queue: [1] } }, { type: 'release' }), false],
  ['the end of a turn', body({ 'agent:a': {} }, { type: 'turn', phase: 'end' }), null],
  ['its start', body({ 'agent:a': {} }, { type: 'turn', phase: 'start' }), false],
  ['an agent that left', body({ 'agent:a': null }, { type: 'agent.leave' }), null],
] as const)('%s', (_what, record, isRung) => {
  expect(rings([record])).toBe(isRung);
});
