import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgres } from '../../../src/store/postgres/open.ts';
import { isGuardError } from '../../../src/core/error.ts';

describe('a server that is stopped: it accepts connections and answers nothing', () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket));
  beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
  afterAll(() => {
    sockets.forEach((socket) => socket.destroy());
    server.close();
  });

  test.each([
    [300, 1_000],
    [1_500, 1_500],
  ])(
    'is away after the deadline of its caller (%d ms, or what a connection may take: %d ms)',
    async (deadline_ms, waited_ms) => {
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      const url = `postgres://u@127.0.0.1:${String(port)}/d?sslmode=disable`;
      const failure: unknown = await openPostgres({
        ...{ url, deadline_ms },
        repository: '00000000-0000-4000-8000-000000000000',
      }).catch((error: unknown) => error);
      if (!isGuardError(failure)) throw failure;
      expect(failure.code).toBe('GUARD_ERR_ENGINE_AWAY');
      expect(failure.facts['waited_ms']).toBeGreaterThanOrEqual(waited_ms - 100);
      // Without the deadline, each attempt would take 5,000.
      expect(failure.facts['waited_ms']).toBeLessThan(4_900);
    },
  );
});
