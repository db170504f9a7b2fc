import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failClosed, PROJECT_HOOK_COMMAND } from '../../../src/install/command.ts';
import { guard, text } from '../../install/scratch.ts';
import { doctor, patients } from './patient.ts';

const fresh = patients();

describe('guard doctor in a healthy repository', () => {
  const place = fresh();
  const told = doctor(place);

  it('finds nothing wrong, and exits with 0', () => {
    expect([told.code, told.complaints]).toEqual([0, []]);
  });

  it('sent a live event through the installed command line, and timed it', () => {
    const [live] = told.of('live');
    expect(live?.facts).toMatchObject({
      exit: 2,
      command: failClosed(PROJECT_HOOK_COMMAND),
    });
    expect(live?.facts['median_ms']).toBeGreaterThan(0);
  });

  it('changed nothing, and its live event is in no log', () => {
    expect(guard(place.repo, place.env, 'log', '--json').stdout).toBe('');
    expect(text(join(place.state, 'install.json'))).toContain('guard_root');
  });

  it('says every result in one shape, and every failing one what to do', () => {
    for (const result of told.results) {
      expect(Object.keys(result)).toEqual(['id', 'status', 'message', 'facts', 'hint', 'fixable']);
    }
  });

  it('speaks to people as well', () => {
    const { code, stdout } = guard(place.repo, place.env, 'doctor');
    expect([code, stdout.split('\n').filter((line) => line.startsWith('ok')).length]).toEqual([
      0,
      told.results.length,
    ]);
  });
});
