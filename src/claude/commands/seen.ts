/** What a command showed its agent: a file counts as read if its bytes appear in what the model was shown. */
import type { Range } from '../../core/rules/baseline.ts';
import { namedFiles } from '../../shell/named-files.ts';
import type { DiskFact } from '../../repo/digest.ts';
import { stampBehind } from '../../repo/stat-key.ts';
import { learn, readable } from '../learn.ts';
import type { Hook } from '../context.ts';
import { outputShown } from '../text/shell-output.ts';
import { type Proof, proofsOf } from '../text/proof.ts';
import { isLocated, locate, type Located } from '../events/targets.ts';
import type { Command } from './command.ts';
import { lookAtDisk } from './look.ts';

/** Files that the line may show, by absolute path, with their stamps before it ran. */
export type Candidates = Readonly<Record<string, string>>;

export const candidatesFor = (_scene: Hook, { line, cwd, in_background }: Command): Candidates =>
  in_background
    ? {}
    : Object.fromEntries(namedFiles(line, cwd, lookAtDisk()).map((file) => [file, stampBehind(file).key]));

/** For all candidates together. A longer output is hardly ever shown whole, and takes too long to read. */
const MAX_BYTES = 8 << 20;

/** @param before the result of `candidatesFor` */
export function learnShown(hook: Hook, _command: Command, before: Candidates): void {
  const shown = outputShown(hook.input);
  if (shown.length === 0) return;
  const looks = [...readableOf(hook, before)];
  const proofs = proofsOf(
    looks.map(({ found, bytes }) => ({ name: found.target.abs, bytes })),
    shown,
  );
  for (const [nth, look] of looks.entries()) learnFrom(hook, look, proofs[nth] ?? null);
}

interface Look {
  readonly found: Located;
  readonly disk: DiskFact;
  readonly bytes: Buffer;
  /** It was not touched while the command ran. */
  readonly is_same: boolean;
}

function* readableOf(hook: Hook, before: Candidates): Generator<Look> {
  let left_bytes = MAX_BYTES;
  for (const [file, stamp] of Object.entries(before)) {
    const now = stampBehind(file);
    left_bytes -= now.bytes;
    if (left_bytes < 0) return;
    for (const found of locate(hook, [file]).filter(isLocated)) {
      const disk = readable(hook, found);
      if (disk?.bytes !== undefined) yield { found, disk, bytes: disk.bytes, is_same: now.key === stamp };
    }
  }
}

function learnFrom(hook: Hook, { found, disk, is_same }: Look, proof: Proof | null): void {
  if (proof?.whole === true) learn(hook, found, disk, { verdict: 'whole' });
  // If the file changed meanwhile, a matching part says nothing about what the rest was when it was printed.
  else if (proof !== null && is_same)
    for (const range of proof.ranges) learn(hook, found, disk, partOf(range, proof.total_lines));
}

const partOf = ([from_line, to_line]: Range, total_lines: number) => ({
  verdict: 'part' as const,
  from_line,
  lines: to_line - from_line + 1,
  total_lines,
});
