import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { inject, test } from 'vitest';

import { requiredOrSkipped } from '../../required.ts';
import { type Api, startApi } from './api.ts';
import { type ClientOptions, type ClientRun, type RunningClient, startClient } from './run.ts';
import type { Scenario } from './scenario.ts';
import { type Files, makeScratch, type Scratch } from './scratch.ts';
import { type Feature, isAtLeast, SINCE } from './versions.ts';

export interface Played {
  readonly run: ClientRun;
  readonly api: Api;
}

type Options = Omit<ClientOptions, 'binary' | 'version' | 'isolation' | 'api' | 'scratch'>;

/** What a test plays its situation on. Everything made here is removed when the test ends, however it ends. */
export interface Stage {
  /** `guard`: the package directory of another guard than the one under test. `on_path`: it can be called by name. */
  scratch(files?: Files, guard?: string, on_path?: boolean): Scratch;
  /** An empty directory. */
  dir(): string;
  api(scenario: Scenario): Promise<Api>;
  /** Starts a client; several may run concurrently, on one API and one scratch. */
  start(api: Api, scratch: Scratch, options: Options): RunningClient;
  /** Runs when the test ends. In concurrent tests vitest's own `onTestFinished` does not know which one called it. */
  after(undo: () => unknown): void;
  /** One client from start to end, with its own API. */
  play(scratch: Scratch, scenario: Scenario, options: Options): Promise<Played>;
}

const client = inject('client');
const isolation = inject('isolation');

const staged = test.extend<{ stage: Stage }>({
  // eslint-disable-next-line no-empty-pattern -- vitest reads the fixtures a fixture needs from this pattern
  stage: async ({}, use) => {
    const scratches: Scratch[] = [];
    const dirs: string[] = [];
    const apis: Api[] = [];
    const clients: RunningClient[] = [];
    const undone: (() => unknown)[] = [];
    const stage: Stage = {
      scratch: (files = {}, guard = inject('guard'), on_path = false) =>
        keep(scratches, makeScratch(files, { guard, client: client.binary, on_path })),
      dir: () => keep(dirs, mkdtempSync(join(tmpdir(), 'guard-e2e-dir-'))),
      api: async (scenario) => keep(apis, await startApi(scenario)),
      start: (api, scratch, options) => {
        if (client.binary === null) throw new Error(client.missing);
        const { binary, version } = client;
        return keep(clients, startClient({ binary, version, isolation, api, scratch, ...options }));
      },
      after: (undo) => void undone.push(undo),
      play: async (scratch, scenario, options) => {
        const api = await stage.api(scenario);
        return { run: await stage.start(api, scratch, options).done, api };
      },
    };
    await use(stage);
    for (const undo of undone.toReversed()) await undo();
    for (const running of clients) running.end();
    const runs = await Promise.all(clients.map(({ done }) => done));
    await Promise.all(apis.map((api) => api.close()));
    for (const scratch of scratches) scratch.dispose();
    for (const dir of dirs) rmSync(dir, { recursive: true, force: true });
    const wrong = [...apis.flatMap(({ problems }) => problems), ...runs.flatMap(wrongWith)];
    if (wrong.length > 0) throw new Error(`the stage was not left in order:\n${wrong.join('\n')}`);
  },
});

/**
 * A test with the real client, skipped if there is none (client/setup.ts reports why). `situation.concurrent` runs
 * alongside other concurrent tests of its file; use it for tests that mostly wait.
 */
export const situation = staged.skipIf(client.missing !== null);

/** A test that needs a feature of the client; skipped, with the feature's name, on a client without it. */
export function situationWith(feature: Feature): typeof situation {
  const has = isAtLeast(client.version, SINCE[feature]);
  // Anyone who selects an older client knows that it has fewer features.
  if (!has && client.missing === null)
    process.stderr.write(`!!! SKIPPED: what needs ${feature}, of client ${SINCE[feature]} and newer\n`);
  return staged.skipIf(client.missing !== null || !has);
}

/** A test that needs something of the machine; without it, it is skipped loudly, or fails if nothing may be skipped. */
export function situationIf(has: boolean, what: string): typeof situation {
  if (!has) requiredOrSkipped(what);
  return staged.skipIf(client.missing !== null || !has);
}

/** Whether the client has the feature, for expectations that differ. */
export const clientHas = (feature: Feature): boolean => isAtLeast(client.version, SINCE[feature]);

function keep<T>(list: T[], one: T): T {
  list.push(one);
  return one;
}

/** After `guard init --warm` a server stays on purpose. */
const SERVER = /\/serve-hooks\.cjs /;

function wrongWith(run: ClientRun): readonly string[] {
  return [
    ...(run.timed_out
      ? [`the client of session ${run.session} did not end in time; stderr: ${run.stderr}`]
      : []),
    ...run.left
      .filter(({ line }) => !SERVER.test(line))
      .map(({ pid, line }) => `left behind: ${pid} ${line}`),
  ];
}
