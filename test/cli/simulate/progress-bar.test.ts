import { describe, expect, it } from 'vitest';
import { barAt, progressBar } from '../../../src/cli/simulate/progress-bar.ts';

describe('a progress bar', () => {
  it('is full at the end, and never more', () => {
    expect(barAt(0)).toMatch(/^░{30} {3}0 %$/);
    expect(barAt(0.5)).toMatch(/^█{15}░{15} {2}50 %$/);
    expect(barAt(1.2)).toMatch(/^█{30} 100 %$/);
  });

  it('says nothing where nobody sees it, or there is nothing to read', () => {
    const said: string[] = [];
    for (const bar of [
      progressBar(10, false, (text) => said.push(text)),
      progressBar(0, true, (text) => said.push(text)),
    ]) {
      bar.add(5);
      bar.close();
    }
    expect(said).toEqual([]);
  });

  it('is drawn over itself, not at every step, and taken away', () => {
    const said: string[] = [];
    const bar = progressBar(1_000, true, (text) => said.push(text));
    for (let step = 0; step < 1_000; step++) bar.add(1);
    bar.close();
    expect(said.length).toBeLessThan(20);
    expect(said[0]).toMatch(/^\r[█░]+ .* %/);
    expect(said.at(-1)).not.toContain('%');
  });
});
