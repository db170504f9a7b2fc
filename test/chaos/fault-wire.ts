/** A connection to a server in a thread of its own, so that it works, or fails, while a test waits for a hook. */
import { Worker } from 'node:worker_threads';
import { bundleText, writeBundle } from '../store/bundle.ts';
import { WIRE_FAULTS, type WireData, type WireFault } from './fault-wire-thread.ts';

export interface FaultWire {
  readonly port: number;
  /** For every connection, new and old, until the next call. */
  befall(fault: WireFault): void;
  close(): Promise<void>;
}

export async function openFaultWire(to: number, slow_ms: number): Promise<FaultWire> {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const program = writeBundle(
    bundleText(`import { serveWire } from './test/chaos/fault-wire-thread.ts'; serveWire();`),
  );
  const data: WireData = { shared, to, slow_ms };
  const thread = new Worker(program, { workerData: data });
  await new Promise<void>((resolve, reject) => {
    thread.once('message', () => resolve()).once('error', reject);
  });
  return {
    port: Atomics.load(shared, 1),
    befall: (fault) => void Atomics.store(shared, 0, WIRE_FAULTS.indexOf(fault)),
    close: async () => {
      await thread.terminate();
    },
  };
}
