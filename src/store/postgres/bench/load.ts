/** Agents that lock two files, hold them until their next turn and release them, concurrently over all connections. */
import { monotonic } from '../../../repo/clock.ts';
import type { LockWays } from './yardstick.ts';

export interface Load {
  readonly agents: number;
  readonly files: number;
  readonly connections: number;
}

export interface Tally {
  /** Duration of each operation in milliseconds. */
  readonly took_ms: number[];
  spent_ms: number;
  granted: number;
  refused: number;
  released: number;
  /** How often a file was granted to two agents at the same time. */
  doubled: number;
}

const newTally = (): Tally => ({
  ...{ took_ms: [], spent_ms: 0, granted: 0, refused: 0, released: 0, doubled: 0 },
});

/** A few files are wanted often, most rarely: the n-th about 1/n as often as the first. */
const wanted = (files: number): number => Math.min(files - 1, Math.floor(files ** Math.random()) - 1);

/** What agents hold persists from one round to the next. */
export class Crowd {
  private readonly held = new Map<number, readonly string[]>();
  private readonly owners = new Map<string, number>();
  private readonly busy = new Set<number>();
  private readonly load: Load;
  private readonly ways: LockWays;
  readonly tally = newTally();

  constructor(load: Load, ways: LockWays) {
    this.load = load;
    this.ways = ways;
  }

  /** Agents join once and lock for hours, so their joining is not measured. */
  async arrive(): Promise<void> {
    const agents = Array.from({ length: this.load.agents }, (_, agent) => agent).values();
    await this.lanes(async () => {
      for (const agent of agents) await this.ways.arrive?.(agent);
    });
  }

  async work(for_ms: number): Promise<void> {
    const begun_ms = monotonic();
    await this.lanes(async () => {
      while (monotonic() - begun_ms < for_ms) await this.act();
    });
    this.tally.spent_ms += monotonic() - begun_ms;
  }

  private async lanes(lane: () => Promise<void>): Promise<void> {
    await Promise.all(Array.from({ length: this.load.connections }, lane));
  }

  private async act(): Promise<void> {
    const agent = Math.floor(Math.random() * this.load.agents);
    if (this.busy.has(agent)) return;
    this.busy.add(agent);
    const begun_ms = monotonic();
    const paths = this.held.get(agent);
    await (paths === undefined ? this.take(agent) : this.give(agent, paths));
    this.tally.took_ms.push(monotonic() - begun_ms);
    this.busy.delete(agent);
  }

  private async take(agent: number): Promise<void> {
    const { files } = this.load;
    const paths = [...new Set([wanted(files), wanted(files)])].map((n) => `src/d${n >> 8}/f${n}.ts`);
    if (!(await this.ways.acquire(agent, paths))) {
      this.tally.refused++;
      return;
    }
    this.tally.granted++;
    for (const path of paths) {
      if (this.owners.has(path)) this.tally.doubled++;
      this.owners.set(path, agent);
    }
    this.held.set(agent, paths);
  }

  private async give(agent: number, paths: readonly string[]): Promise<void> {
    for (const path of paths) this.owners.delete(path);
    this.held.delete(agent);
    await this.ways.release(agent, paths);
    this.tally.released++;
  }
}
