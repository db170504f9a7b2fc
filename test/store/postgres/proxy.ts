/** A connection between guard and the server that tests can cut. */
import { connect, createServer, type Socket } from 'node:net';
import type { Cluster } from './cluster.ts';

/** What happens to the next request with `word`: its answer is cut off, it does not arrive, or it is never answered. */
export type Cut = 'answer' | 'question' | 'silence';

export interface Proxy {
  readonly port: number;
  cut(how: Cut, word: string): void;
  /** The number of requests that were cut. */
  cuts(): number;
  close(): void;
}

export async function openProxy({ dir, port }: Cluster): Promise<Proxy> {
  let due: { readonly how: Cut; readonly word: string } | undefined;
  let cuts = 0;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const wire = createServer((near) => {
    const far = keep(connect(`${dir}/.s.PGSQL.${port}`));
    keep(near);
    let state: Cut | 'whole' = 'whole';
    near.on('data', (bytes) => {
      if (due !== undefined && bytes.includes(due.word)) {
        state = due.how;
        due = undefined;
        cuts++;
      }
      if (state === 'question') near.destroy();
      else far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (state === 'whole') near.write(bytes);
      if (state === 'answer') near.destroy();
    });
    far.on('close', () => near.destroy());
    near.on('close', () => far.destroy());
  });
  await new Promise<void>((resolve) => wire.listen(0, '127.0.0.1', resolve));
  const address = wire.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    cut: (how, word) => void (due = { how, word }),
    cuts: () => cuts,
    close() {
      wire.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
