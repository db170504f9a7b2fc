/** The flags of a client, as its own help lists them. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { asText, parsedObject } from '../core/json-object.ts';
import { replaceWithin } from '../repo/replace-whole.ts';
import { textOf } from '../repo/small-file.ts';
import { stampBehind } from '../repo/stat-key.ts';

const TIMEOUT_MS = 10_000;
const BYTES = 65_536;
const KEPT = 'client.json';

/** `--help` takes a quarter of a second, so the answer is kept until the program's file changes. `null` if it does not say. */
export function flagsOf(dir: string, program: string): readonly string[] | null {
  const { key: stamp } = stampBehind(program);
  const kept = parsedObject(textOf(join(dir, KEPT), BYTES) ?? '');
  const known = asText(kept['flags']);
  if (stamp !== '' && kept['stamp'] === stamp) return known === '' ? null : known.split(' ');
  const found = [...helpOf(program).matchAll(/^ +(?:-\w, )?--[^ \n]+(?:, --[^ \n]+)*/gm)].flatMap(
    ([line]) => line.match(/--[a-zA-Z-]+/g) ?? [],
  );
  const flags = found.includes('--output-format') ? [...new Set(found)] : [];
  attempt(
    () => replaceWithin(dir, KEPT, `${JSON.stringify({ stamp, flags: flags.join(' ') })}\n`, true),
    undefined,
  );
  return flags.length === 0 ? null : flags;
}

/** Standard output is null if the program cannot be run. */
const helpOf = (program: string): string =>
  asText(
    spawnSync(program, ['--help'], {
      encoding: 'utf8',
      timeout: TIMEOUT_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).stdout,
  );
