import { describe, expect, it } from 'vitest';
import { onSignals } from '../../src/repo/on-signals.ts';

const count = (): number[] => [process.listenerCount('SIGUSR2'), process.listenerCount('SIGWINCH')];

describe('hearing signals', () => {
  it('names each that came, and leaves no handler behind', () => {
    const before = count();
    const heard: string[] = [];
    const deaf = onSignals(['SIGUSR2', 'SIGWINCH'], (name) => heard.push(name));
    for (const name of ['SIGUSR2', 'SIGWINCH', 'SIGUSR2'] as const) process.emit(name, name);
    deaf();
    expect(heard).toEqual(['SIGUSR2', 'SIGWINCH', 'SIGUSR2']);
    expect(count()).toEqual(before);
  });

  it('once leaves the second one of a name to whoever else there is', () => {
    const before = count();
    const heard: string[] = [];
    const deaf = onSignals(['SIGUSR2', 'SIGWINCH'], (name) => heard.push(name), 'once');
    for (const name of ['SIGUSR2', 'SIGUSR2', 'SIGWINCH'] as const) process.emit(name, name);
    expect(heard).toEqual(['SIGUSR2', 'SIGWINCH']);
    deaf();
    expect(count()).toEqual(before);
  });
});
