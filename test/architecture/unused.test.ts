import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

import { NOTHING, sinceListed } from './shrinking.ts';
import { ROOT } from './sources.ts';

const run = promisify(execFile);
const KNIP = join(ROOT, 'node_modules/knip/bin/knip.js');

interface Named {
  readonly name: string;
}

/** The part of knip's report used here. */
interface Issue {
  readonly file: string;
  readonly files: readonly Named[];
  readonly exports: readonly Named[];
  readonly types: readonly Named[];
  readonly duplicates: readonly (readonly Named[])[];
}

describe('what no source and no test needs', () => {
  test('is not exported, and no file is for nobody', { timeout: 120_000 }, async () => {
    const args = [KNIP, '--reporter', 'json', '--no-progress', '--no-exit-code'];
    const { stdout } = await run(process.execPath, args, { cwd: ROOT, maxBuffer: 1 << 26 });
    const { issues } = JSON.parse(stdout) as { readonly issues: readonly Issue[] };
    const names = issues.flatMap(({ file, files, exports, types, duplicates }) =>
      [
        ...files.map(() => file),
        ...[...exports, ...types].map(({ name }) => `${file}#${name}`),
        ...duplicates.map((same) => `${file}#${same.map(({ name }) => name).join('=')}`),
      ].sort(),
    );
    expect(sinceListed('unused exports', new Map(names.map((name) => [name, 1])))).toEqual(NOTHING);
  });
});
