import { describe, expect, it } from 'vitest';
import { barAt, progressBar, withProgress } from '../../../src/cli/view/progress-bar.ts';
import { SILENT_SHELL } from '../silent-shell.ts';

/** A terminal, and the text written to it. */
function terminal(isWatched = true) {
  const said: string[] = [];
  return { said, shell: { ...SILENT_SHELL, isWatched, err: (text: string) => void said.push(text) } };
}

describe('a progress bar', () => {
  it('is full at the end, and never more', () => {
    expect(barAt(0)).toMatch(/^░{30} {3}0 %$/);
    expect(barAt(0.5)).toMatch(/^█{15}░{15} {2}50 %$/);
    expect(barAt(1.2)).toMatch(/^█{30} 100 %$/);
  });

  it.each([
    ['without a terminal', false, {}, 10],
    ['beside JSON', true, { json: true }, 10],
    ['where there is nothing to do', true, {}, 0],
  ])('writes nothing %s', (_, isWatched, options, total) => {
    const { said, shell } = terminal(isWatched);
    const bar = progressBar(shell, options);
    bar.step(5, total);
    bar.close();
    expect(said).toEqual([]);
  });

  it('is drawn over itself, not at every step, and taken away', () => {
    const { said, shell } = terminal();
    const bar = progressBar(shell, {});
    for (let step = 0; step < 1_000; step++) bar.step(1, 1_000);
    bar.close();
    expect(said.length).toBeLessThan(20);
    expect(said[0]).toMatch(/^\r[█░]+ .* %/);
    expect(said.at(-1)).not.toContain('%');
    expect(said.join('')).not.toContain('\n');
  });

  it('is taken away when the work fails', () => {
    const { said, shell } = terminal();
    const failing = () =>
      withProgress(shell, {}, (step) => {
        step(1, 2);
        throw new Error('broken');
      });
    expect(failing).toThrow('broken');
    expect(said[0]).toContain('50 %');
    expect(said.at(-1)).not.toContain('%');
  });
});
