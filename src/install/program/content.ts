/** The files of a program, and a digest that identifies exactly this content. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageOf } from '../guard-root.ts';
import { PROGRAMS } from '../program-names.ts';

/** The parts of the package that a program needs to run, and its licences. */
const PARTS = ['bin', 'dist', 'hooks', 'native', 'fence', 'guard.schema.json', 'package.json', 'LICENSE'];
const NEEDED = ['dist/hook.cjs', 'dist/cli/cli.mjs', 'package.json'];
/** V8's compiled forms are next to their sources; every Node makes its own. */
const MADE_HERE = /\.compiled(?:\.\d+)?$/;

/** Paths within the package, sorted, with `/` on every system. */
export function programFiles(guard_root: string): readonly string[] {
  return PARTS.flatMap((part) => filesOf(guard_root, part))
    .filter((file) => !MADE_HERE.test(file))
    .sort();
}

function filesOf(guard_root: string, part: string): readonly string[] {
  const path = join(guard_root, part);
  if (!existsSync(path)) return [];
  if (part.includes('.') || part === 'LICENSE') return [part];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(guard_root.length + 1)
        .replaceAll('\\', '/'),
    );
}

export interface ProgramContent {
  readonly version: string;
  /** SHA-256 over names and bytes, in hexadecimal. */
  readonly digest: string;
  /** `0.1.0-3f2a9c81d04e`: the name of its directory in the home. */
  readonly name: string;
}

const DIGEST_CHARS = 12;

/** `null` if the program is incomplete. */
export function programContent(guard_root: string): ProgramContent | null {
  const version = packageOf(guard_root).version;
  const files = programFiles(guard_root);
  // Homes keep earlier versions, which have only the second of the names.
  const isWhole =
    NEEDED.every((it) => files.includes(it)) && PROGRAMS.some((it) => files.includes(`bin/${it}`));
  if (version === undefined || !isWhole) return null;
  const hash = createHash('sha256');
  for (const file of files) {
    const bytes = readFileSync(join(guard_root, file));
    hash.update(`${file}\0${bytes.length}\0`).update(bytes);
  }
  const digest = hash.digest('hex');
  return { version, digest, name: `${version}-${digest.slice(0, DIGEST_CHARS)}` };
}
