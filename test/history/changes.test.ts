import { describe, expect, it } from 'vitest';
import { changeOf } from '../../src/history/changes.ts';
import { agentState, hold, pathState, recordAt } from './records.ts';

const held = pathState({ holds: [hold('ann', 1)] });

describe('what is kept of a record', () => {
  it('is what a scene shows, and never the text of a message', () => {
    const s = {
      ...{ 'path:a.ts': held, 'agent:ann': agentState('ann'), 'wait:ann': { edges: [] }, 'draft:x': {} },
      ...{ 'message:m-1': { body: 'secret' }, 'inbox:ann': {}, 'thread:t': {} },
    };
    const change = changeOf(recordAt(1, 'hold', { s, body: 'secret' }));
    expect(Object.keys(change.s).sort()).toEqual(['agent:ann', 'draft:x', 'path:a.ts', 'wait:ann']);
    expect(JSON.stringify(change)).not.toContain('secret');
  });

  it('is nothing of a file that is neither held, nor wanted, nor being written', () => {
    const last_write = { agent: 'ann', digest: 'd', lsn: 1, op: null };
    const s = { 'path:a.ts': pathState({ last_write }), 'path:b.ts': held, 'path:c.ts': null };
    expect(changeOf(recordAt(1, 'release', { s })).s).toEqual({
      ...{ 'path:a.ts': null, 'path:b.ts': held, 'path:c.ts': null },
    });
  });

  it('names the files that the record names, or else those whose state it changes, at most eight', () => {
    const s = { 'path:a.ts': held, 'path:b.ts': held };
    const pathsOf = (more: object) => changeOf(recordAt(1, 'hold', { s, ...more })).paths;
    expect(pathsOf({})).toEqual(['a.ts', 'b.ts']);
    expect(pathsOf({ path: 'c.ts' })).toEqual(['c.ts']);
    expect(pathsOf({ paths: Array.from({ length: 20 }, (_, nth) => `${nth}.ts`) })).toHaveLength(8);
    expect(pathsOf({ path: 7, paths: 'no list' })).toEqual(['a.ts', 'b.ts']);
  });
});
