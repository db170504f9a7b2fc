/** The thread that a faulty connection runs in (fault-wire.ts). */
import { connect, createServer, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

/** In the order of their numbers. */
export const WIRE_FAULTS = ['none', 'half_open', 'slow', 'reset', 'lost_answer', 'lost_question'] as const;
export type WireFault = (typeof WIRE_FAULTS)[number];

export interface WireData {
  /** The current fault, then the port once it listens. */
  readonly shared: Int32Array;
  readonly to: number;
  readonly slow_ms: number;
}

const COMMIT = 'commit_2';

export function serveWire(): void {
  const { shared, to, slow_ms } = workerData as WireData;
  const now = (): WireFault => WIRE_FAULTS[Atomics.load(shared, 0)] ?? 'none';
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    for (const socket of [near, far]) socket.on('error', () => undefined);
    let isLost = false;
    const pass = (socket: Socket, bytes: Buffer): void => {
      const fault = now();
      if (fault === 'half_open') return;
      if (fault === 'slow') setTimeout(() => socket.write(bytes), slow_ms);
      else socket.write(bytes);
    };
    near.on('data', (bytes) => {
      const isCommit = bytes.includes(COMMIT);
      if (isCommit && now() === 'lost_question') near.destroy();
      else {
        isLost ||= isCommit && now() === 'lost_answer';
        pass(far, bytes);
      }
    });
    far.on('data', (bytes) => {
      if (isLost) near.resetAndDestroy();
      else if (now() === 'reset')
        near.write(bytes.subarray(0, bytes.length >> 1), () => near.resetAndDestroy());
      else pass(near, bytes);
    });
    far.on('close', () => {
      if (now() !== 'half_open') near.destroy();
    });
    near.on('close', () => far.destroy());
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    Atomics.store(shared, 1, typeof address === 'object' && address !== null ? address.port : 0);
    parentPort?.postMessage('listens');
  });
}
