import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { put } from '../../install/scratch.ts';
import { look, patients } from './patient.ts';

const fresh = patients();

describe('guard doctor, where the ledger', () => {
  it('is an index without records: repaired by --fix', () => {
    const place = fresh();
    put(join(place.state, 'index'), '');
    expect(look(place).complaints).toEqual(['fail ledger']);
    expect(place.run('lock', 'try', 'src/a.ts', '--agent', 'a').code).toBe(2);
    expect(place.run('doctor', '--fix').code).toBe(0);
    expect(place.run('lock', 'try', 'src/a.ts', '--agent', 'a').code).toBe(0);
  });

  it('was deleted: says so, and a new one is made only by name', () => {
    const place = fresh();
    place.run('lock', 'try', 'src/a.ts', '--agent', 'a');
    for (const name of readdirSync(place.state).filter((one) => one.startsWith('ledger-')))
      rmSync(join(place.state, name));
    const [said] = look(place).of('ledger');
    expect([said?.message, said?.hint]).toEqual([
      expect.stringContaining('cannot be recovered'),
      expect.stringContaining('--quarantine'),
    ]);
    expect(place.run('doctor', '--fix').code).toBe(1);
    place.run('doctor', '--fix', '--quarantine');
    expect(place.run('lock', 'try', 'src/a.ts', '--agent', 'a').code).toBe(0);
  });
});
