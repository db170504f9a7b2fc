import { expect, it } from 'vitest';
import { untilStopped } from '../../src/cli/until-stopped.ts';

const handlers = (): number[] => ['SIGINT', 'SIGTERM'].map((signal) => process.listenerCount(signal));

it.each(['SIGINT', 'SIGTERM'] as const)('%s ends it, and no handler stays behind', async (signal) => {
  const before = handlers();
  const ended = untilStopped(
    (stop) => new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve())),
  );
  expect(handlers()).toEqual(before.map((count) => count + 1));
  process.emit(signal, signal);
  await ended;
  expect(handlers()).toEqual(before);
});

it('leaves no handler behind where the work ends by itself, or fails', async () => {
  const before = handlers();
  await untilStopped(() => Promise.resolve());
  await expect(untilStopped(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(handlers()).toEqual(before);
});
