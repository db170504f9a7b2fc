/** Like worker.ts, on a shared ledger. */
import { writeSync } from 'node:fs';
import { isGuardError } from '../../src/core/error.ts';
import { openPostgres, type PostgresConfig } from '../../src/store/postgres/open.ts';
import { transact } from '../../src/store/transact.ts';
import { clock } from '../store/scratch.ts';
import { step } from './model.ts';
import { seeded } from './random.ts';
import { noting, type Seen } from './seen.ts';
import { randomAct } from './worker.ts';

const say = (line: object): void => void writeSync(1, `${JSON.stringify(line)}\n`);

export interface Work {
  readonly config: PostgresConfig;
  readonly agent: string;
  readonly seed: number;
  readonly rounds: number;
}

export async function work({ config, agent, seed, rounds }: Work, tell: (line: Seen) => void): Promise<void> {
  const random = seeded(seed);
  const now = clock();
  const { store, versions } = noting(await openPostgres({ ...config, connections: 1 }));
  for (let round = 0; round < rounds; round++) {
    const act = randomAct(random, agent, now().mono_ms);
    const answer = await transact(store, step(act));
    tell({ act, answer, versions: versions(act.keys) });
  }
  await store.close();
}

export async function main([config = '', agent = '', seed = '1']: readonly string[]): Promise<void> {
  const plan = { config: JSON.parse(config) as PostgresConfig, agent, seed: Number(seed), rounds: Infinity };
  try {
    await work(plan, say);
  } catch (error) {
    say({ failed: isGuardError(error) ? `${error.code} ${error.message}` : String(error) });
    process.exitCode = 3;
  }
}
