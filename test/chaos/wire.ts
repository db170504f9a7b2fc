/** A connection between guard and a server, which can be redirected to another server, and on which faults occur. */
import { connect, createServer, type Socket } from 'node:net';
import type { Random } from './random.ts';

export type Mishap = 'reset' | 'half_open' | 'slow' | 'lost_answer' | 'lost_question';

/** The local port that it leads to. */
export interface Wire {
  readonly port: number;
  aim(port: number): void;
  /** Hits one connection, or each with `all`; false if there is none. @param slow_ms how long a slow one is stopped */
  befall(mishap: Mishap, slow_ms: number, all?: boolean): boolean;
  close(): void;
}

interface Link {
  readonly near: Socket;
  readonly far: Socket;
  due?: Mishap | undefined;
  isDead: boolean;
}

const COMMIT = 'commit_2';

function join(near: Socket, far: Socket): Link {
  const link: Link = { near, far, isDead: false };
  near.on('data', (bytes) => {
    if (link.isDead) return;
    const isCommit = bytes.includes(COMMIT);
    if (link.due === 'lost_question' && isCommit) near.destroy();
    else {
      if (link.due === 'lost_answer' && isCommit) link.due = 'reset';
      far.write(bytes);
    }
  });
  far.on('data', (bytes) => {
    if (link.isDead) return;
    if (link.due === 'reset') near.write(bytes.subarray(0, bytes.length >> 1), () => near.resetAndDestroy());
    else near.write(bytes);
  });
  far.on('close', () => {
    if (!link.isDead) near.destroy();
  });
  near.on('close', () => far.destroy());
  return link;
}

function hit(link: Link, mishap: Mishap, slow_ms: number): void {
  const { near, far } = link;
  if (mishap === 'half_open') link.isDead = true;
  else if (mishap === 'slow') {
    near.pause();
    far.pause();
    setTimeout(() => {
      near.resume();
      far.resume();
    }, slow_ms);
  } else link.due = mishap;
}

export async function openWire(port: number, random: Random): Promise<Wire> {
  let to = port;
  const links = new Set<Link>();
  const wire = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    for (const socket of [near, far]) socket.on('error', () => undefined);
    const link = join(near, far);
    links.add(link);
    near.on('close', () => links.delete(link));
  });
  await new Promise<void>((resolve) => wire.listen(0, '127.0.0.1', resolve));
  const address = wire.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    aim: (next) => void (to = next),
    befall(mishap, slow_ms, all = false) {
      const open = [...links].filter((link) => !link.isDead && link.due === undefined);
      const one = open[random(Math.max(open.length, 1))];
      for (const link of all ? open : open.filter((it) => it === one)) hit(link, mishap, slow_ms);
      return one !== undefined;
    },
    close() {
      wire.close();
      for (const { near, far } of links) {
        near.destroy();
        far.destroy();
      }
    },
  };
}
