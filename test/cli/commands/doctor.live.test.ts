/** Which hook commands `guard doctor` runs in a shell, and which it doesn't. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { put, text } from '../../install/scratch.ts';
import { doctor, patients } from './patient.ts';

const fresh = patients();

describe('guard doctor', () => {
  it("does not run a hook's command that guard would not write, however much it looks like one", () => {
    const place = fresh();
    const file = join(place.repo, '.claude/settings.json');
    const mark = join(place.home, 'ran');
    const evil = text(file).replaceAll('"NODE', `"id > ${mark}; NODE`);
    expect(evil).toContain(`id > ${mark}`);
    put(file, evil);
    expect(doctor(place).of('live')[0]).toMatchObject({
      status: 'warn',
      facts: { from: file },
      hint: 'Look at it, then run: guard init',
    });
    expect(existsSync(mark)).toBe(false);
  });

  it.each([{ CLAUDECODE: '1' }, { CLAUDE_CODE_SESSION_ID: 's1' }])('runs none for an agent: %o', (more) => {
    const place = fresh();
    const told = doctor({ ...place, env: { ...place.env, ...more } });
    expect(told.of('live')[0]?.status).toBe('warn');
    expect(told.code).toBe(0);
  });

  it('runs what each scope of guard init writes', () => {
    for (const scope of ['project', 'local', 'user']) {
      const told = doctor(fresh('--scope', scope)).of('live')[0];
      // It ran and was denied; on a busy machine that may be slow, which is only a warning.
      expect([scope, told?.facts['exit']]).toEqual([scope, 2]);
    }
  });
});
