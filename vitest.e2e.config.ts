import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

import { namesIn, partAsked, secondsOf } from './test/e2e/parts.ts';

const DIR = join(import.meta.dirname, 'test/e2e');
const END = '.test.ts';

const nameOf = (file: string): string => file.slice(0, -END.length).replaceAll('\\', '/');

/** 0 outside of a repository. */
function commits(): number {
  const { stdout } = spawnSync('git', ['rev-list', '--count', 'HEAD'], { cwd: DIR, encoding: 'utf8' });
  return Number.parseInt(stdout, 10) || 0;
}

const names = readdirSync(DIR, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith(END))
  .map(nameOf);
const part = partAsked(process.env['GUARD_E2E'], commits());
const chosen = namesIn(part, names);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = ({ moduleId }: TestSpecification): number => secondsOf(nameOf(relative(DIR, moduleId)));
    return (await super.sort(files)).sort((a, b) => seconds(b) - seconds(a));
  }
}

export default defineConfig({
  test: {
    include: chosen.map((name) => `test/e2e/${name}${END}`),
    provide: { part, chosen: chosen.length, all: names.length },
    globalSetup: ['test/build.ts', 'test/e2e/client/setup.ts'],
    isolate: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Each has a separate home, API and network. With four at a time, two processors were idle for 40 % of 535 s.
    maxWorkers: 5,
    // For tests of one file that wait in parallel. With five, on a busy machine, clients took a minute to start.
    maxConcurrency: 2,
    sequence: { sequencer: LongestFirst },
  },
});
