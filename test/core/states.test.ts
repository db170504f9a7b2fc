import { describe, expect, it } from 'vitest';
import { changesOver, readOnce } from '../../src/core/states.ts';
import type { Json, Key, View } from '../../src/core/ledger.ts';

describe('a step that reads the same states many times', () => {
  it('looks each of them up once, including those that do not exist, and reads what it would read anyway', () => {
    const asked: Key[] = [];
    const states: Record<Key, Json> = { 'agent:a': { id: 'a' }, 'path:x': { holds: [] } };
    const view = { get: (key: Key) => (asked.push(key), states[key]) } as unknown as View;
    const plain = changesOver(view);
    const read = readOnce(plain);
    for (let round = 0; round < 3; round++) {
      expect([read.agent('a'), read.agent('b')]).toEqual([{ id: 'a' }, undefined]);
      expect([read.path('x'), read.path('y')]).toEqual([plain.path('x'), plain.path('y')]);
    }
    expect(asked.filter((key) => key === 'agent:a' || key === 'agent:b')).toEqual(['agent:a', 'agent:b']);
  });
});
