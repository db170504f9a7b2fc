// The cost of hashing in a cold process.
// 1. SHA-256 of a file by size and provider, against a process that only reads the file.
// 2. A file name for an (agent, path) pair, against a process that hashes nothing.
// Run: node test/bench/hash.mjs   (RUNS=40, SIZES=1024,10240,...)
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describeMachine, measureCold, printTable } from './cold.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const runs = Number(process.env.RUNS ?? 40);
const sizes = (process.env.SIZES ?? '1024,10240,102400,1048576,10485760').split(',').map(Number);

async function bundle(contents) {
  const options = {
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    minify: true,
    logLevel: 'error',
  };
  const result = await build({
    ...options,
    absWorkingDir: root,
    stdin: { contents, resolveDir: root, loader: 'ts' },
  });
  return result.outputFiles[0].text;
}

const READ = `const bytes = require('node:fs').readFileSync(process.argv[2]); const say = (digest) => require('node:fs').writeSync(1, digest);`;

const CHUNKS = `
const fs = require('node:fs');
const hash = require('node:crypto').createHash('sha256');
const buffer = Buffer.allocUnsafe(256 * 1024);
const fd = fs.openSync(process.argv[2]);
for (let n; (n = fs.readSync(fd, buffer)) > 0; ) hash.update(buffer.subarray(0, n));
fs.writeSync(1, hash.digest('hex'));
`;

const FILE = {
  read_only: READ,
  crypto_hash: `${READ} say(require('node:crypto').hash('sha256', bytes, 'hex'));`,
  create_hash: `${READ} say(require('node:crypto').createHash('sha256').update(bytes).digest('hex'));`,
  // Asynchronous; `crypto` is a global, so nothing is required.
  webcrypto_subtle: `${READ} void crypto.subtle.digest('SHA-256', bytes).then((it) => say(Buffer.from(it).toString('hex')));`,
  create_hash_256k_chunks: CHUNKS,
  guard_digest_file: await bundle(
    `import { digestFile } from './src/repo/digest.ts'; import { writeSync } from 'node:fs';
     writeSync(1, digestFile(process.argv[2] ?? '', { deadline: () => undefined }).digest ?? '');`,
  ),
  small_module: await bundle(
    `import { sha256Small } from './src/repo/sha256-small.ts'; import { readFileSync, writeSync } from 'node:fs';
     writeSync(1, sha256Small(readFileSync(process.argv[2] ?? '')) ?? '');`,
  ),
  noble_sha256: await bundle(
    `import { sha256 } from '@noble/hashes/sha2.js'; import { readFileSync, writeSync } from 'node:fs';
     writeSync(1, Buffer.from(sha256(readFileSync(process.argv[2] ?? ''))).toString('hex'));`,
  ),
  // Not SHA-256, and starts asynchronously: shows how much a fast non-cryptographic hash would save.
  xxhash_wasm_h64: await bundle(
    `import xxhash from 'xxhash-wasm'; import { readFileSync, writeSync } from 'node:fs';
     const bytes = readFileSync(process.argv[2] ?? ''); void xxhash().then((api) => writeSync(1, api.h64Raw(bytes).toString(16)));`,
  ),
};

const NAME = `claude-018bcb71-f6f3-4d79-9f4e-a9ea2427059f/a314b105b2ad374f7\\0packages/app/src/components/deeply/nested/Button.tsx`;
const SAY = `require('node:fs').writeSync(1, `;

const NAMES = {
  no_name: `${SAY}"${NAME}".length.toString(16));`,
  fnv1a_2x32: `${await bundle(`import { nameHash } from './src/repo/name-hash.ts'; (globalThis as Record<string, unknown>)['nameHash'] = nameHash;`)}; ${SAY}globalThis.nameHash("${NAME}"));`,
  zlib_crc32: `${SAY}require('node:zlib').crc32("${NAME}").toString(16));`,
  crypto_hash: `${SAY}require('node:crypto').hash('sha256', "${NAME}", 'hex').slice(0, 32));`,
  xxhash_wasm_h64: await bundle(
    `import xxhash from 'xxhash-wasm'; import { writeSync } from 'node:fs';
     void xxhash().then((api) => writeSync(1, api.h64ToString("${NAME}")));`,
  ),
};

function checkAgree(rows) {
  const [, first, ...others] = rows.filter((row) => row.name !== 'xxhash_wasm_h64');
  const odd = others.find((row) => row.out !== first.out);
  if (odd !== undefined) throw new Error(`${odd.name} says ${odd.out}, ${first.name} says ${first.out}`);
}

function benchFiles(dir) {
  for (const size of sizes) {
    const file = join(dir, `f${size}`);
    writeFileSync(file, randomBytes(size));
    const args = Object.fromEntries(Object.keys(FILE).map((name) => [name, [file]]));
    const rows = measureCold(FILE, { runs, args });
    checkAgree(rows);
    printTable(`SHA-256 of ${size} bytes, ${runs} cold runs each`, rows);
  }
}

describeMachine();
const dir = mkdtempSync(join(tmpdir(), 'guard-bench-files-'));
try {
  benchFiles(dir);
  printTable(
    `A name of 16 hex digits or more for (agent, path), ${runs} cold runs each`,
    measureCold(NAMES, { runs }),
  );
} finally {
  rmSync(dir, { recursive: true, force: true });
}
